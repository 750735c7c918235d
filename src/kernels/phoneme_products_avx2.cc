#include <immintrin.h>

#include "kernels/kernels.h"

namespace zhiwen {
namespace {

// The bytes of a row as numbers of 16 bits.
struct Row {
  __m256i parts[4];
};

Row LoadRow(const uint8_t* bytes) {
  const auto widen = [](const uint8_t* from) {
    return _mm256_cvtepu8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
  };
  // The last one is of the next row.
  const __m256i own = _mm256_setr_epi32(-1, -1, -1, -1, -1, -1, -1, 0xFFFF);
  return {{widen(bytes), widen(bytes + 16), widen(bytes + 32),
           _mm256_and_si256(own, widen(bytes + 48))}};
}

// The sums of the lanes of three registers, and 0.
__m128i SumsOf(__m256i a, __m256i b, __m256i c) {
  const __m256i ab = _mm256_hadd_epi32(a, b);
  const __m256i c0 = _mm256_hadd_epi32(c, _mm256_setzero_si256());
  const __m256i sums = _mm256_hadd_epi32(ab, c0);  // a, b, c, 0 in each half
  return _mm_add_epi32(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
}

// The products over initials, finals, tones, and 0. Borders of segments are even, so that no sum of
// two products goes beyond one.
__m128i ProductsOf(const Row& a, const Row& b) {
  static_assert(kInitialsEnd == 24 && kFinalsEnd == 58 && kPhonemeRow == 63);
  const __m256i initials_of_1 = _mm256_setr_epi32(-1, -1, -1, -1, 0, 0, 0, 0);
  const __m256i finals_of_3 = _mm256_setr_epi32(-1, -1, -1, -1, -1, 0, 0, 0);
  const __m256i p0 = _mm256_madd_epi16(a.parts[0], b.parts[0]);
  const __m256i p1 = _mm256_madd_epi16(a.parts[1], b.parts[1]);
  const __m256i p2 = _mm256_madd_epi16(a.parts[2], b.parts[2]);
  const __m256i p3 = _mm256_madd_epi16(a.parts[3], b.parts[3]);
  const __m256i initials = _mm256_add_epi32(p0, _mm256_and_si256(initials_of_1, p1));
  const __m256i finals =
      _mm256_add_epi32(_mm256_add_epi32(p2, _mm256_andnot_si256(initials_of_1, p1)),
                       _mm256_and_si256(finals_of_3, p3));
  return SumsOf(initials, finals, _mm256_andnot_si256(finals_of_3, p3));
}

// Calls put(place, initials, finals, tones) with the products of four rows each, place by place;
// `other` says what to multiply a row by. Of less than four left the last one is there again.
template <typename Other, typename Put>
void ForFourRows(const uint8_t* rows, size_t count, const Other& other, const Put& put) {
  for (size_t i = 0; i < count; i += 4) {
    __m128i sums[4];
    for (size_t j = 0; j < 4; ++j) {
      const size_t place = i + j < count ? i + j : count - 1;
      const Row row = LoadRow(rows + place * kPhonemeRow);
      sums[j] = ProductsOf(row, other(row));
    }
    const __m128i low01 = _mm_unpacklo_epi32(sums[0], sums[1]);
    const __m128i low23 = _mm_unpacklo_epi32(sums[2], sums[3]);
    const __m128i high01 = _mm_unpackhi_epi32(sums[0], sums[1]);
    const __m128i high23 = _mm_unpackhi_epi32(sums[2], sums[3]);
    put(i, _mm_unpacklo_epi64(low01, low23), _mm_unpackhi_epi64(low01, low23),
        _mm_unpacklo_epi64(high01, high23));
  }
}

// 0 where the square is.
__m128 InverseRoots(__m128i squares) {
  const __m128 numbers = _mm_cvtepi32_ps(squares);
  const __m128 roots = _mm_div_ps(_mm_set1_ps(1), _mm_sqrt_ps(numbers));
  return _mm_and_ps(roots, _mm_cmpneq_ps(numbers, _mm_setzero_ps()));
}

}  // namespace

void PhonemeProductsAvx2(const uint8_t* query, const uint8_t* rows, size_t count,
                         uint32_t* products) {
  const Row wanted = LoadRow(query);
  ForFourRows(
      rows, count, [&](const Row&) -> const Row& { return wanted; },
      [&](size_t place, __m128i initials, __m128i finals, __m128i tones) {
        auto* const out = products + place;
        _mm_storeu_si128(reinterpret_cast<__m128i*>(out), initials);
        _mm_storeu_si128(reinterpret_cast<__m128i*>(out + kPhonemeBlock), finals);
        _mm_storeu_si128(reinterpret_cast<__m128i*>(out + 2 * kPhonemeBlock), tones);
      });
}

void PhonemeScalesAvx2(const uint8_t* rows, size_t count, float* scales) {
  ForFourRows(
      rows, count, [](const Row& row) -> const Row& { return row; },
      [&](size_t place, __m128i initials, __m128i finals, __m128i tones) {
        _mm_storeu_ps(scales + place, InverseRoots(initials));
        _mm_storeu_ps(scales + kPhonemeBlock + place, InverseRoots(finals));
        _mm_storeu_ps(scales + 2 * kPhonemeBlock + place, InverseRoots(tones));
      });
}

}  // namespace zhiwen
