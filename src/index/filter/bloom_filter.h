#ifndef ZHIWEN_INDEX_FILTER_BLOOM_FILTER_H_
#define ZHIWEN_INDEX_FILTER_BLOOM_FILTER_H_

// The split-block Bloom filter: blocks of eight 32-bit words, a bit in each of them for a key. F.
// Putze, P. Sanders, J. Singler, "Cache-, Hash- and Space-Efficient Bloom Filters", 2007; block and
// salts are those of Apache Parquet (kernels/bloom_scalar.cc).

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/large_memory.h"
#include "index/filter/filter_table.h"

namespace zhiwen {

// The share of other keys that pass when blocks have so many keys on the average: with j keys, a
// Poisson number, a word has a given bit with probability 1 − (31/32)ʲ, and eight words are asked.
double BloomFalsePositives(double keys_per_block);

// The least number of blocks with which `keys`, at least one, pass no more than that.
double BloomBlocks(uint64_t keys, double false_positives);

class BloomFilter : public FilterTable {
 public:
  static constexpr size_t kBlockBytes = 32;
  static constexpr uint64_t kMostBlocks = (uint64_t{1} << 32) - 1;

  // Of so many blocks, 1 to kMostBlocks, without a key.
  explicit BloomFilter(uint64_t blocks);
  // As it was stored: whole blocks, 1 to kMostBlocks.
  BloomFilter(std::string_view table, uint64_t keys);

  uint64_t keys() const override { return keys_; }
  // Of large filters from a million of their blocks.
  double false_positives() const override;
  Status Add(std::span<const uint64_t> keys) override;
  size_t Select(std::span<const uint64_t> keys, uint32_t* places) const override;
  std::vector<uint64_t> shape() const override { return {}; }
  std::string_view bytes() const override;

 private:
  uint64_t blocks() const { return words_.size() / 8; }

  LargeVector<uint32_t> words_;
  uint64_t keys_ = 0;
};

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_FILTER_BLOOM_FILTER_H_
