#include "match/passages/extend_ends.h"

#include <algorithm>
#include <array>

namespace zhiwen {
namespace {

constexpr int kDrop = 6;
constexpr int kOutside = -1000000;

// Calls a_at(i) and b_at(i) for the symbols at a distance from the end of the alignment.
template <typename AAt, typename BAt>
Extension Extend(size_t a_size, const AAt& a_at, size_t b_size, const BAt& b_at) {
  constexpr int kCells = 2 * kBandOfExtension + 1;
  std::array<int, kCells> row, next;  // by b − a + kBandOfExtension
  for (int cell = 0; cell < kCells; ++cell)
    row[cell] = cell < kBandOfExtension ? kOutside : kBandOfExtension - cell;
  int best = 0;
  Extension extension;
  for (size_t i = 1; i <= std::min(a_size, kLongestExtension); ++i) {
    int best_of_row = kOutside;
    for (int cell = 0; cell < kCells; ++cell) {
      const int64_t j = static_cast<int64_t>(i) + cell - kBandOfExtension;
      int score = kOutside;
      if (j >= 0 && j <= static_cast<int64_t>(b_size)) {
        if (j > 0) {
          const bool is_equal = a_at(i - 1) == b_at(static_cast<size_t>(j) - 1);
          score = row[cell] + (is_equal ? 1 : -1);
        }
        if (cell + 1 < kCells) score = std::max(score, row[cell + 1] - 1);
        if (cell > 0) score = std::max(score, next[cell - 1] - 1);
      }
      next[cell] = score;
      if (score > best) {
        best = score;
        extension = {static_cast<uint32_t>(i), static_cast<uint32_t>(j)};
      }
      best_of_row = std::max(best_of_row, score);
    }
    if (best_of_row < best - kDrop) break;
    row = next;
  }
  return extension;
}

}  // namespace

Extension ExtendAfter(std::span<const uint32_t> a, std::span<const uint32_t> b) {
  return Extend(
      a.size(), [&](size_t i) { return a[i]; }, b.size(), [&](size_t i) { return b[i]; });
}

Extension ExtendBefore(std::span<const uint32_t> a, std::span<const uint32_t> b) {
  return Extend(
      a.size(), [&](size_t i) { return a[a.size() - 1 - i]; }, b.size(),
      [&](size_t i) { return b[b.size() - 1 - i]; });
}

}  // namespace zhiwen
