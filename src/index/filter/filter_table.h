#ifndef ZHIWEN_INDEX_FILTER_FILTER_TABLE_H_
#define ZHIWEN_INDEX_FILTER_FILTER_TABLE_H_

// Internal interface of the kinds of filters (zhiwen/filter.h is the contract). Each kind has one
// file: bloom_filter.h, cuckoo_filter.h, fuse_filter.h. filter_test.cc compares all of them with
// exact sets.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "index/line_table/mix_key.h"
#include "zhiwen/result.h"

namespace zhiwen {

// Maps 32 uniform bits to [0, size), where size must be below 2³².
inline uint64_t Reduce(uint64_t bits, uint64_t size) { return bits * size >> 32; }

class FilterTable {
 public:
  virtual ~FilterTable() = default;

  // These functions are those of KeyFilter.
  virtual uint64_t keys() const = 0;
  virtual double false_positives() const = 0;
  virtual Status Add(std::span<const uint64_t> keys);  // unless overridden, returns that it cannot
  // Unless overridden, returns that it cannot.
  virtual Status Remove(std::span<const uint64_t> keys);
  virtual size_t Select(std::span<const uint64_t> keys, uint32_t* places) const = 0;

  // Return the stored sections "shape" and "table". Views are valid until the filter changes.
  virtual std::vector<uint64_t> shape() const = 0;
  virtual std::string_view bytes() const = 0;
};

// Implements Select for tables that are read in two steps: `prepare` prefetches the memory of a key
// and returns its place, and `may_contain` tests this place.
template <typename Prepare, typename MayContain>
size_t SelectPrepared(std::span<const uint64_t> keys, uint32_t* places, const Prepare& prepare,
                      const MayContain& may_contain) {
  constexpr size_t kAhead = 16;  // keys whose memory is waited for together
  std::array<decltype(prepare(uint64_t{})), kAhead> ring = {};
  size_t found = 0;
  for (size_t i = 0; i < keys.size() + kAhead; ++i) {
    auto& place = ring[i % kAhead];
    if (i >= kAhead) {
      places[found] = static_cast<uint32_t>(i - kAhead);
      found += may_contain(place) ? 1 : 0;
    }
    if (i < keys.size()) place = prepare(keys[i]);
  }
  return found;
}

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_FILTER_FILTER_TABLE_H_
