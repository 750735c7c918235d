// Blocks of eight against eight, as in intersection_avx2.cc.

#include <immintrin.h>

#include "kernels/kernels.h"

namespace zhiwen {
namespace {

constexpr size_t kLanes = 8;
constexpr size_t kGallopRatio = 32;  // from here on the scalar form searches

uint32_t EqualToOne(__m512i values, const uint64_t* one) {
  return _mm512_cmpeq_epi64_mask(values, _mm512_set1_epi64(static_cast<int64_t>(*one)));
}

}  // namespace

size_t IntersectionSizeAvx512(const uint64_t* a, size_t a_size, const uint64_t* b, size_t b_size) {
  size_t shared = 0;
  size_t i = 0, j = 0;
  if (a_size <= b_size * kGallopRatio && b_size <= a_size * kGallopRatio) {
    while (i + kLanes <= a_size && j + kLanes <= b_size) {
      const __m512i block = _mm512_loadu_si512(a + i);
      uint32_t equal = 0;
#pragma GCC unroll 8
      for (size_t lane = 0; lane < kLanes; ++lane) equal |= EqualToOne(block, b + j + lane);
      shared += static_cast<size_t>(_mm_popcnt_u32(equal));
      const uint64_t a_last = a[i + kLanes - 1];
      const uint64_t b_last = b[j + kLanes - 1];
      i += static_cast<size_t>(a_last <= b_last) * kLanes;
      j += static_cast<size_t>(b_last <= a_last) * kLanes;
    }
  }
  return shared + IntersectionSizeScalar(a + i, a_size - i, b + j, b_size - j);
}

}  // namespace zhiwen
