#include "index/hamming/flips.h"

#include <array>
#include <cassert>
#include <mutex>
#include <vector>

namespace zhiwen {
namespace {

constexpr uint32_t kMaxWidth = 32;

// Appends the words of `width` bits with `ones` of them set, ascending.
void AppendWords(uint32_t width, uint32_t ones, std::vector<uint32_t>& words) {
  if (ones > width) return;
  // Computes the next larger word with equally many ones: R. Gosper, HAKMEM 175.
  const uint64_t end = uint64_t{1} << width;
  for (uint64_t word = (uint64_t{1} << ones) - 1; word < end;) {
    words.push_back(static_cast<uint32_t>(word));
    if (word == 0) return;
    const uint64_t lowest = word & -word;
    const uint64_t carried = word + lowest;
    word = carried | ((word ^ carried) / lowest >> 2);
  }
}

}  // namespace

size_t FlipCount(uint32_t width, uint32_t radius) {
  size_t count = 0;
  size_t words = 1;
  for (uint32_t ones = 0; ones <= radius; ++ones) {
    count += words;
    words = words * (width - ones) / (ones + 1);
  }
  return count;
}

std::span<const uint32_t> Flips(uint32_t width, uint32_t radius) {
  assert(width <= kMaxWidth && radius <= kMaxFlippedBits);
  struct List {
    std::once_flag made;
    std::vector<uint32_t> words;
  };
  static std::array<std::array<List, kMaxFlippedBits + 1>, kMaxWidth + 1> lists;
  List& list = lists[width][radius];
  std::call_once(list.made, [&] {
    list.words.reserve(FlipCount(width, radius));
    for (uint32_t ones = 0; ones <= radius; ++ones) AppendWords(width, ones, list.words);
  });
  return list.words;
}

}  // namespace zhiwen
