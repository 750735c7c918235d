#include "kernels/kernels.h"

namespace zhiwen {

size_t DigitsNearScalar(const uint8_t* digits, const uint8_t* tables, const uint8_t* radii,
                        size_t count, uint32_t bound, uint32_t* out) {
  size_t found = 0;
  for (size_t begin = 0; begin < count; begin += kDigitColumns) {
    const uint8_t* const table = tables + begin * kDigitRows;
    uint8_t distances[kDigitColumns] = {};
    for (size_t row = 0; row < kDigitRows; ++row) {
      for (size_t i = 0; i < kDigitColumns; ++i) {
        const int difference = digits[row] - table[row * kDigitColumns + i];
        distances[i] = static_cast<uint8_t>(distances[i] + __builtin_abs(difference));
      }
    }
    for (size_t i = 0; i < kDigitColumns && begin + i < count; ++i) {
      out[found] = static_cast<uint32_t>(begin + i);
      found += distances[i] < bound + radii[begin + i] ? 1 : 0;
    }
  }
  return found;
}

}  // namespace zhiwen
