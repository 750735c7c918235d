#ifndef ZHIWEN_INDEX_FILTER_BLOOM_FILTER_H_
#define ZHIWEN_INDEX_FILTER_BLOOM_FILTER_H_

// The split-block Bloom filter has blocks of eight 32-bit words, and a key sets one bit in each
// word of its block. F. Putze, P. Sanders, J. Singler, "Cache-, Hash- and Space-Efficient Bloom
// Filters", 2007; block and salts are those of Apache Parquet (kernels/bloom_scalar.cc).

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/large_memory.h"
#include "index/filter/filter_table.h"

namespace zhiwen {

// Returns the share of other keys that pass when blocks have this many keys on average. With j keys
// (Poisson distributed), a word has a given bit set with probability 1 − (31/32)ʲ, and eight words
// are tested.
double BloomFalsePositives(double keys_per_block);

// Returns the least number of blocks with which at most this share passes for `keys` keys (at least
// one).
double BloomBlocks(uint64_t keys, double false_positives);

class BloomFilter : public FilterTable {
 public:
  static constexpr size_t kBlockBytes = 32;
  static constexpr uint64_t kMostBlocks = (uint64_t{1} << 32) - 1;

  // Creates a filter of 1 to kMostBlocks blocks without a key.
  explicit BloomFilter(uint64_t blocks);
  // Opens a stored table of whole blocks, 1 to kMostBlocks.
  BloomFilter(std::string_view table, uint64_t keys);

  uint64_t keys() const override { return keys_; }
  // For a large filter the rate is estimated from a million of its blocks.
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
