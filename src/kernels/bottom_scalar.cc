#include <algorithm>
#include <array>
#include <bit>
#include <span>
#include <utility>

#include "kernels/kernels.h"

namespace zhiwen {
namespace {

constexpr int kBucketBits = 6;

}  // namespace

uint64_t BottomOrder(uint64_t hash) {
  const auto high = static_cast<uint32_t>(hash >> 32);
  return uint64_t{__builtin_bswap32(high)} << 32 | static_cast<uint32_t>(hash);
}

// Few hashes are below the bound, but which is not to be foreseen: every order is written, and the
// next one over it unless it stays.
size_t OrdersBelowScalar(const uint64_t* hashes, size_t count, uint64_t bound, uint64_t* out) {
  size_t kept = 0;
  for (size_t i = 0; i < count; ++i) {
    const uint64_t order = BottomOrder(hashes[i]);
    out[kept] = order;
    kept += order < bound;
  }
  return kept;
}

// Spreads values over 32 to 64 buckets by their top bits: being hashes, they are nearly in order.
size_t SortFewScalar(uint64_t* values, size_t count, uint64_t bound) {
  const int shift = std::max(static_cast<int>(std::bit_width(bound)) - kBucketBits, 0);
  const std::span<uint64_t> all(values, count);
  std::array<uint8_t, 1 << kBucketBits> begins{};
  for (const uint64_t value : all) ++begins[value >> shift];
  uint32_t begin = 0;
  for (uint8_t& bucket : begins) begin += std::exchange(bucket, static_cast<uint8_t>(begin));
  std::array<uint64_t, kMostFew> spread;
  for (const uint64_t value : all) spread[begins[value >> shift]++] = value;
  for (size_t i = 0; i < count; ++i) {
    size_t at = i;
    for (; at > 0 && spread[i] < values[at - 1]; --at) values[at] = values[at - 1];
    values[at] = spread[i];
  }
  return static_cast<size_t>(std::unique(all.begin(), all.end()) - all.begin());
}

}  // namespace zhiwen
