#include <immintrin.h>

#include "kernels/kernels.h"

namespace zhiwen {
namespace {

constexpr size_t kLanes = 16;

__m512i Permute(uint64_t hash, __m512i key, __m512i multiplier) {
  const __m512i low_half = _mm512_set1_epi32(static_cast<int>(hash));
  return _mm512_mullo_epi32(_mm512_xor_si512(low_half, key), multiplier);
}

// Walks all hashes once for kRegisters * kLanes permutations. kChains minima of each stay in
// registers, so that one need not wait for the other.
template <size_t kRegisters, size_t kChains>
void Walk(const uint64_t* hashes, size_t count, const uint32_t* multipliers, const uint32_t* keys,
          uint32_t* minima) {
  __m512i multiplier[kRegisters], key[kRegisters], minimum[kRegisters][kChains];
  for (size_t r = 0; r < kRegisters; ++r) {
    multiplier[r] = _mm512_loadu_si512(multipliers + r * kLanes);
    key[r] = _mm512_loadu_si512(keys + r * kLanes);
    for (__m512i& chain : minimum[r]) chain = _mm512_loadu_si512(minima + r * kLanes);
  }
  for (size_t i = 0; i < count; i += kChains) {
#pragma GCC unroll 8
    for (size_t chain = 0; chain < kChains; ++chain) {
      const uint64_t hash = hashes[i + chain < count ? i + chain : count - 1];
#pragma GCC unroll 8
      for (size_t r = 0; r < kRegisters; ++r) {
        minimum[r][chain] =
            _mm512_min_epu32(minimum[r][chain], Permute(hash, key[r], multiplier[r]));
      }
    }
  }
  for (size_t r = 0; r < kRegisters; ++r) {
    for (size_t chain = 1; chain < kChains; ++chain) {
      minimum[r][0] = _mm512_min_epu32(minimum[r][0], minimum[r][chain]);
    }
    _mm512_storeu_si512(minima + r * kLanes, minimum[r][0]);
  }
}

}  // namespace

void MinhashAvx512(const uint64_t* hashes, size_t count, const uint32_t* multipliers,
                   const uint32_t* keys, size_t permutations, uint32_t* minima) {
  size_t j = 0;
  for (; j + 4 * kLanes <= permutations; j += 4 * kLanes) {
    Walk<4, 2>(hashes, count, multipliers + j, keys + j, minima + j);
  }
  for (; j < permutations; j += kLanes) {
    Walk<1, 4>(hashes, count, multipliers + j, keys + j, minima + j);
  }
}

}  // namespace zhiwen
