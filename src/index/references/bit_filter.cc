#include "index/references/bit_filter.h"

#include <algorithm>
#include <array>
#include <bit>

namespace zhiwen {
namespace {

constexpr uint64_t kBitsPerKey = 12;

uint64_t WordsFor(uint64_t keys) {
  return std::max<uint64_t>(std::bit_ceil(keys * kBitsPerKey / 64 + 1), 2);
}

// Each pattern has three different bits, drawn by a linear congruential generator (Knuth's MMIX).
constexpr std::array<uint64_t, 2048> MakePatterns() {
  std::array<uint64_t, 2048> patterns = {};
  uint64_t state = 1;
  for (uint64_t& pattern : patterns) {
    while (std::popcount(pattern) < 3) {
      state = state * 6364136223846793005 + 1442695040888963407;
      pattern |= uint64_t{1} << (state >> 58);
    }
  }
  return patterns;
}

}  // namespace

constinit const std::array<uint64_t, 2048> BitFilter::kPatterns = MakePatterns();

BitFilter::BitFilter(size_t keys)
    : words_(WordsFor(keys), 0), shift_(64 - std::countr_zero(words_.size())) {}

uint64_t BitFilter::BytesFor(uint64_t keys) { return WordsFor(keys) * 8; }

size_t BitFilter::Select(std::span<const uint64_t> keys, uint32_t* places) const {
  const uint64_t* words = words_.data();
  const int shift = shift_;
  size_t count = 0;
  for (size_t i = 0; i < keys.size(); ++i) {
    const uint64_t missing = ~words[keys[i] >> shift] & MaskOf(keys[i]);
    places[count] = static_cast<uint32_t>(i);
    count += static_cast<size_t>(missing == 0);
  }
  return count;
}

}  // namespace zhiwen
