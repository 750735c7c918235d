#ifndef ZHIWEN_INDEX_FILTER_FUSE_FILTER_H_
#define ZHIWEN_INDEX_FILTER_FUSE_FILTER_H_

// The binary fuse filter has three places a key, in three adjacent segments. The exclusive or of
// the values at these places is the key's fingerprint of 8 or 16 bits. T. M. Graf, D. Lemire,
// "Binary Fuse Filters: Fast and Smaller Than Xor Filters", 2022.

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "base/large_memory.h"
#include "index/filter/filter_table.h"

namespace zhiwen {

struct FuseShape {
  uint64_t seed = 0;
  uint64_t segment_slots = 0;  // a power of two
  uint64_t segments = 0;       // segments that the first place can be in; two more follow

  // Returns the shape that the paper gives for this many keys, without a seed.
  static FuseShape For(uint64_t keys);

  // Returns whether a table can have this shape.
  bool IsPossible() const;
  uint64_t slots() const { return (segments + 2) * segment_slots; }
};

// `Word` must be uint8_t or uint16_t.
template <typename Word>
class FuseFilter : public FilterTable {
 public:
  // Builds a filter of the distinct keys, at most kMostFuseKeys. Distinct keys cost linear time,
  // and their order does not matter. Fails: kInternal when none of many seeds succeeds, which is
  // not known to happen for any keys.
  static Result<std::unique_ptr<FilterTable>> Build(std::vector<uint64_t> keys);
  // Opens a stored table, which must have as many bytes as the shape says; the shape must be
  // possible.
  FuseFilter(const FuseShape& shape, std::string_view table, uint64_t keys);

  uint64_t keys() const override { return keys_; }
  double false_positives() const override;
  size_t Select(std::span<const uint64_t> keys, uint32_t* places) const override;
  std::vector<uint64_t> shape() const override {
    return {shape_.seed, shape_.segment_slots, shape_.segments};
  }
  std::string_view bytes() const override;

 private:
  FuseFilter(const FuseShape& shape, uint64_t keys) : shape_(shape), keys_(keys) {}

  FuseShape shape_;
  LargeVector<Word> table_;
  uint64_t keys_;
};

extern template class FuseFilter<uint8_t>;
extern template class FuseFilter<uint16_t>;

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_FILTER_FUSE_FILTER_H_
