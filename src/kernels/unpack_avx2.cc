#include <immintrin.h>

#include "kernels/kernels.h"

namespace zhiwen {

// Eight numbers are `width` bytes. A lane takes the four bytes in which its number begins, which
// hold up to 25 bits of it; wider ones are of lists with gaps of millions; these, and few
// numbers, are left to scalar.
void UnpackAscendingAvx2(const uint8_t* packed, uint32_t width, uint32_t first, size_t count,
                         uint32_t* out) {
  if (width > 25 || count < 8) return UnpackAscendingScalar(packed, width, first, count, out);
  out[0] = first;
  // The upper four numbers begin in the byte width / 2, at its bit 4 when the width is odd.
  const auto odd = static_cast<int>((width & 1) * 4);
  const __m256i bits =
      _mm256_add_epi32(_mm256_mullo_epi32(_mm256_set1_epi32(static_cast<int>(width)),
                                          _mm256_setr_epi32(0, 1, 2, 3, 0, 1, 2, 3)),
                       _mm256_setr_epi32(0, 0, 0, 0, odd, odd, odd, odd));
  const __m256i bytes = _mm256_add_epi32(
      _mm256_mullo_epi32(_mm256_srli_epi32(bits, 3), _mm256_set1_epi32(0x01010101)),
      _mm256_set1_epi32(0x03020100));
  const __m256i shifts = _mm256_and_si256(bits, _mm256_set1_epi32(7));
  const __m256i mask = _mm256_set1_epi32(static_cast<int>((1U << width) - 1));
  const __m256i one = _mm256_set1_epi32(1);
  const __m256i last_lane = _mm256_set1_epi32(7);
  __m256i before = _mm256_set1_epi32(static_cast<int>(first));
  for (size_t i = 1; i < count; i += 8, packed += width) {
    const __m256i loaded = _mm256_inserti128_si256(
        _mm256_castsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(packed))),
        _mm_loadu_si128(reinterpret_cast<const __m128i*>(packed + width / 2)), 1);
    __m256i sums = _mm256_add_epi32(
        _mm256_and_si256(_mm256_srlv_epi32(_mm256_shuffle_epi8(loaded, bytes), shifts), mask), one);
    sums = _mm256_add_epi32(sums, _mm256_slli_si256(sums, 4));
    sums = _mm256_add_epi32(sums, _mm256_slli_si256(sums, 8));
    const __m256i low_half = _mm256_permute2x128_si256(sums, sums, 0x08);
    sums = _mm256_add_epi32(sums, _mm256_shuffle_epi32(low_half, 0xFF));
    sums = _mm256_add_epi32(sums, before);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + i), sums);
    before = _mm256_permutevar8x32_epi32(sums, last_lane);
  }
}

}  // namespace zhiwen
