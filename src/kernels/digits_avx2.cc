#include <immintrin.h>

#include "kernels/kernels.h"

namespace zhiwen {

size_t DigitsNearAvx2(const uint8_t* digits, const uint8_t* tables, const uint8_t* radii,
                      size_t count, uint32_t bound, uint32_t* out) {
  static_assert(kDigitColumns == sizeof(__m256i));
  __m256i wanted[kDigitRows];
  for (size_t row = 0; row < kDigitRows; ++row) {
    wanted[row] = _mm256_set1_epi8(static_cast<char>(digits[row]));
  }
  const __m256i most = _mm256_set1_epi8(static_cast<char>(bound - 1));
  uint8_t last[kDigitColumns] = {};
  size_t found = 0;
  for (size_t begin = 0; begin < count; begin += kDigitColumns) {
    const auto* const table = reinterpret_cast<const __m256i*>(tables + begin * kDigitRows);
    __m256i distance = _mm256_setzero_si256();
    for (size_t row = 0; row < kDigitRows; ++row) {
      const __m256i row_digits = _mm256_loadu_si256(table + row);
      distance =
          _mm256_add_epi8(distance, _mm256_abs_epi8(_mm256_sub_epi8(wanted[row], row_digits)));
    }
    const uint8_t* radius = radii + begin;
    uint32_t counted = ~uint32_t{0};
    if (count - begin < kDigitColumns) {
      __builtin_memcpy(last, radius, count - begin);
      radius = last;
      counted = (uint32_t{1} << (count - begin)) - 1;
    }
    const __m256i least =
        _mm256_subs_epu8(distance, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(radius)));
    const __m256i is_near = _mm256_cmpeq_epi8(_mm256_min_epu8(least, most), least);
    auto near = static_cast<uint32_t>(_mm256_movemask_epi8(is_near)) & counted;
    for (; near != 0; near &= near - 1) {
      out[found++] = static_cast<uint32_t>(begin) + _tzcnt_u32(near);
    }
  }
  return found;
}

}  // namespace zhiwen
