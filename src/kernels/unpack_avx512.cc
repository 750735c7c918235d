#include <immintrin.h>

#include "kernels/kernels.h"

namespace zhiwen {

// As with AVX2; sixteen numbers are twice `width` bytes, and one permutation finds theirs.
void UnpackAscendingAvx512(const uint8_t* packed, uint32_t width, uint32_t first, size_t count,
                           uint32_t* out) {
  if (width > 25 || count < 8) return UnpackAscendingScalar(packed, width, first, count, out);
  out[0] = first;
  const __m512i bits =
      _mm512_mullo_epi32(_mm512_set1_epi32(static_cast<int>(width)),
                         _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
  const __m512i bytes = _mm512_add_epi32(
      _mm512_mullo_epi32(_mm512_srli_epi32(bits, 3), _mm512_set1_epi32(0x01010101)),
      _mm512_set1_epi32(0x03020100));
  const __m512i shifts = _mm512_and_si512(bits, _mm512_set1_epi32(7));
  const __m512i mask = _mm512_set1_epi32(static_cast<int>((1U << width) - 1));
  const __m512i one = _mm512_set1_epi32(1);
  const __m512i zero = _mm512_setzero_si512();
  const __m512i last_lane = _mm512_set1_epi32(15);
  __m512i before = _mm512_set1_epi32(static_cast<int>(first));
  for (size_t i = 1; i < count; i += 16, packed += 2 * size_t{width}) {
    const __m512i loaded = _mm512_permutexvar_epi8(bytes, _mm512_loadu_si512(packed));
    __m512i sums = _mm512_add_epi32(_mm512_and_si512(_mm512_srlv_epi32(loaded, shifts), mask), one);
    sums = _mm512_add_epi32(sums, _mm512_alignr_epi32(sums, zero, 15));
    sums = _mm512_add_epi32(sums, _mm512_alignr_epi32(sums, zero, 14));
    sums = _mm512_add_epi32(sums, _mm512_alignr_epi32(sums, zero, 12));
    sums = _mm512_add_epi32(sums, _mm512_alignr_epi32(sums, zero, 8));
    sums = _mm512_add_epi32(sums, before);
    _mm512_storeu_si512(out + i, sums);
    before = _mm512_permutexvar_epi32(last_lane, sums);
  }
}

}  // namespace zhiwen
