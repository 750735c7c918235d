#include <immintrin.h>

#include "kernels/kernels.h"

namespace zhiwen {
namespace {

// Sixteen bytes as numbers of 16 bits.
__m256i Widen(const uint8_t* bytes) {
  return _mm256_cvtepu8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes)));
}

// The sums of the lanes of three registers.
__m128i SumsOf(__m256i a, __m256i b, __m256i c) {
  const __m256i ab = _mm256_hadd_epi32(a, b);
  const __m256i c0 = _mm256_hadd_epi32(c, _mm256_setzero_si256());
  const __m256i sums = _mm256_hadd_epi32(ab, c0);  // a, b, c, 0 in each half
  return _mm_add_epi32(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
}

}  // namespace

// Borders of segments are even, so that no sum of two products goes beyond one.
void PhonemeProductsAvx2(const uint8_t* query, const uint8_t* vectors, size_t count,
                         uint32_t* products) {
  static_assert(kInitialsEnd == 24 && kFinalsEnd == 58 && kPhonemeVector == 64);
  const __m256i q0 = Widen(query), q1 = Widen(query + 16);
  const __m256i q2 = Widen(query + 32), q3 = Widen(query + 48);
  const __m256i initials_of_1 = _mm256_setr_epi32(-1, -1, -1, -1, 0, 0, 0, 0);
  const __m256i finals_of_3 = _mm256_setr_epi32(-1, -1, -1, -1, -1, 0, 0, 0);
  for (size_t i = 0; i < count; ++i, vectors += kPhonemeVector, products += 3) {
    const __m256i p0 = _mm256_madd_epi16(q0, Widen(vectors));
    const __m256i p1 = _mm256_madd_epi16(q1, Widen(vectors + 16));
    const __m256i p2 = _mm256_madd_epi16(q2, Widen(vectors + 32));
    const __m256i p3 = _mm256_madd_epi16(q3, Widen(vectors + 48));
    const __m256i initials = _mm256_add_epi32(p0, _mm256_and_si256(initials_of_1, p1));
    const __m256i finals =
        _mm256_add_epi32(_mm256_add_epi32(p2, _mm256_andnot_si256(initials_of_1, p1)),
                         _mm256_and_si256(finals_of_3, p3));
    const __m256i tones = _mm256_andnot_si256(finals_of_3, p3);
    const __m128i sums = SumsOf(initials, finals, tones);
    products[0] = static_cast<uint32_t>(_mm_extract_epi32(sums, 0));
    products[1] = static_cast<uint32_t>(_mm_extract_epi32(sums, 1));
    products[2] = static_cast<uint32_t>(_mm_extract_epi32(sums, 2));
  }
}

}  // namespace zhiwen
