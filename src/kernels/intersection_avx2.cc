// Blocks of four against four: all sixteen pairs are compared at once, then the block whose last
// value is smaller moves on (both when they are equal), without a branch to mispredict.

#include <immintrin.h>

#include "kernels/kernels.h"

namespace zhiwen {
namespace {

constexpr size_t kLanes = 4;
constexpr size_t kGallopRatio = 32;  // from here on the scalar form searches

__m256i Load(const uint64_t* from) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
}

__m256i EqualToOne(__m256i values, const uint64_t* one) {
  return _mm256_cmpeq_epi64(values, _mm256_set1_epi64x(static_cast<int64_t>(*one)));
}

}  // namespace

size_t IntersectionSizeAvx2(const uint64_t* a, size_t a_size, const uint64_t* b, size_t b_size) {
  size_t shared = 0;
  size_t i = 0, j = 0;
  if (a_size <= b_size * kGallopRatio && b_size <= a_size * kGallopRatio) {
    while (i + kLanes <= a_size && j + kLanes <= b_size) {
      const __m256i block = Load(a + i);
      const __m256i equal01 =
          _mm256_or_si256(EqualToOne(block, b + j), EqualToOne(block, b + j + 1));
      const __m256i equal23 =
          _mm256_or_si256(EqualToOne(block, b + j + 2), EqualToOne(block, b + j + 3));
      const __m256i equal = _mm256_or_si256(equal01, equal23);
      shared += static_cast<size_t>(
          _mm_popcnt_u32(static_cast<uint32_t>(_mm256_movemask_pd(_mm256_castsi256_pd(equal)))));
      const uint64_t a_last = a[i + kLanes - 1];
      const uint64_t b_last = b[j + kLanes - 1];
      i += static_cast<size_t>(a_last <= b_last) * kLanes;
      j += static_cast<size_t>(b_last <= a_last) * kLanes;
    }
  }
  return shared + IntersectionSizeScalar(a + i, a_size - i, b + j, b_size - j);
}

}  // namespace zhiwen
