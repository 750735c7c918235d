#include "fingerprint/perceptual_hash.h"

#include <algorithm>
#include <array>
#include <vector>

namespace zhiwen {
namespace {

constexpr size_t kCells = 32;  // a side of the small picture
constexpr size_t kFrequencies = 8;

using CellRow = std::array<int64_t, kCells>;

// cos(k·π/64) in units of 2⁻¹⁴, for a quarter of the circle.
constexpr std::array<int32_t, 33> kQuarter = {
    16384, 16364, 16305, 16207, 16069, 15893, 15679, 15426, 15137, 14811, 14449,
    14053, 13623, 13160, 12665, 12140, 11585, 11003, 10394, 9760,  9102,  8423,
    7723,  7005,  6270,  5520,  4756,  3981,  3196,  2404,  1606,  804,   0};

int64_t CosineOf(size_t k) {
  k %= 128;
  if (k > 64) k = 128 - k;
  return k <= 32 ? kQuarter[k] : -kQuarter[64 - k];
}

// Calls visit(cell, share) for the cells that the pixel at `place` of `size` lies in. The shares of
// a pixel add up to kCells, and those of a cell to `size`.
template <typename Visit>
void VisitCells(size_t place, size_t size, const Visit& visit) {
  size_t begin = place * kCells;
  const size_t end = begin + kCells;
  for (size_t cell = begin / size; begin < end; ++cell) {
    const size_t cut = std::min(end, (cell + 1) * size);
    visit(cell, static_cast<int64_t>(cut - begin));
    begin = cut;
  }
}

// The mean brightness of each cell, in thousandths of a step of 255 (ITU-R BT.601).
std::array<CellRow, kCells> Shrink(const Picture& picture) {
  std::array<CellRow, kCells> cells = {};
  for (size_t y = 0; y < picture.height; ++y) {
    CellRow sums = {};
    for (size_t x = 0; x < picture.width; ++x) {
      const int64_t brightness =
          299 * picture.At(x, y, 0) + 587 * picture.At(x, y, 1) + 114 * picture.At(x, y, 2);
      VisitCells(x, picture.width,
                 [&](size_t cell, int64_t share) { sums[cell] += share * brightness; });
    }
    VisitCells(y, picture.height, [&](size_t cell, int64_t share) {
      for (size_t i = 0; i < kCells; ++i) cells[cell][i] += share * sums[i];
    });
  }
  const auto pixels = static_cast<int64_t>(picture.width * picture.height);
  for (CellRow& row : cells) {
    for (int64_t& cell : row) cell /= pixels;
  }
  return cells;
}

}  // namespace

std::optional<uint64_t> ComputePerceptualHash(const Picture& picture) {
  const std::array<CellRow, kCells> cells = Shrink(picture);
  std::array<CellRow, kFrequencies> across = {};  // of each frequency and row
  for (size_t u = 1; u <= kFrequencies; ++u) {
    for (size_t x = 0; x < kCells; ++x) {
      const int64_t cosine = CosineOf((2 * x + 1) * u);
      for (size_t y = 0; y < kCells; ++y) across[u - 1][y] += cells[y][x] * cosine;
    }
  }
  std::vector<int64_t> coefficients;
  for (size_t v = 1; v <= kFrequencies; ++v) {
    for (const CellRow& row : across) {
      int64_t sum = 0;
      for (size_t y = 0; y < kCells; ++y) sum += row[y] * CosineOf((2 * y + 1) * v);
      coefficients.push_back(sum);
    }
  }
  if (std::ranges::all_of(coefficients, [](int64_t c) { return c == 0; })) return std::nullopt;
  std::vector<int64_t> sorted = coefficients;
  std::ranges::sort(sorted);
  // Half of the bits are 1, unless coefficients are equal.
  const int64_t median = sorted[sorted.size() / 2 - 1];
  uint64_t hash = 0;
  for (const int64_t coefficient : coefficients) {
    hash = hash << 1 | static_cast<uint64_t>(coefficient > median);
  }
  return hash;
}

}  // namespace zhiwen
