#include "base/radix_sort.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace zhiwen {

void RadixSort(LargeVector<uint64_t>& values, LargeVector<uint64_t>& scratch) {
  scratch.resize(values.size());
  std::array<std::array<size_t, 256>, 8> counts = {};
  for (const uint64_t value : values) {
    for (size_t byte = 0; byte < 8; ++byte) ++counts[byte][value >> byte * 8 & 0xFF];
  }
  for (size_t byte = 0; byte < 8; ++byte) {
    auto& starts = counts[byte];
    // Equal in all of them.
    if (std::find(starts.begin(), starts.end(), values.size()) != starts.end()) continue;
    size_t start = 0;
    for (size_t& count : starts) start += std::exchange(count, start);
    for (const uint64_t value : values) scratch[starts[value >> byte * 8 & 0xFF]++] = value;
    values.swap(scratch);
  }
}

}  // namespace zhiwen
