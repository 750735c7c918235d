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
  constexpr size_t kCells = 2 * kBandOfExtension + 1;
  constexpr size_t kBand = kBandOfExtension;
  std::array<int, kCells + 1> row, next;  // by b − a + kBand, and one that is outside
  row.fill(kOutside);
  for (size_t cell = kBand; cell < kCells; ++cell) row[cell] = static_cast<int>(kBand - cell);
  int best = 0;
  Extension extension;
  for (size_t i = 1; i <= std::min({a_size, kLongestExtension, b_size + kBand}); ++i) {
    // Of b, from before its first symbol to its last one.
    const size_t first = kBand - std::min(i, kBand);
    const size_t end = std::min<size_t>(kCells, b_size + kBand - i + 1);
    const auto symbol = a_at(i - 1);
    next.fill(kOutside);
    for (size_t cell = first; cell < end; ++cell) {
      const size_t j = i + cell - kBand;
      const bool is_equal = j > 0 && symbol == b_at(j - 1);
      next[cell] = std::max(row[cell] + (is_equal ? 1 : -1), row[cell + 1] - 1);
    }
    for (size_t cell = first + 1; cell < end; ++cell) {
      next[cell] = std::max(next[cell], next[cell - 1] - 1);
    }
    const auto most = std::max_element(next.begin(), next.end());
    if (*most > best) {
      best = *most;
      const auto cell = static_cast<size_t>(most - next.begin());
      extension = {static_cast<uint32_t>(i), static_cast<uint32_t>(i + cell - kBand)};
    }
    if (*most < best - kDrop) break;
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
