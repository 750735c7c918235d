#include <immintrin.h>

#include "kernels/kernels.h"

namespace zhiwen {
namespace {

constexpr size_t kLanes = 8;

__m256i Load(const uint32_t* from) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
}

void Store(uint32_t* to, __m256i x) { _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), x); }

__m256i Permute(__m256i hash, __m256i key, __m256i multiplier) {
  return _mm256_mullo_epi32(_mm256_xor_si256(hash, key), multiplier);
}

}  // namespace

// Sixteen permutations a walk: more registers of minima were slower (the multipliers no longer fit
// beside them).
void MinhashAvx2(const uint64_t* hashes, size_t count, const uint32_t* multipliers,
                 const uint32_t* keys, size_t permutations, uint32_t* minima) {
  for (size_t j = 0; j < permutations; j += 2 * kLanes) {
    const __m256i multiplier0 = Load(multipliers + j), multiplier1 = Load(multipliers + j + kLanes);
    const __m256i key0 = Load(keys + j), key1 = Load(keys + j + kLanes);
    __m256i minimum0 = Load(minima + j), minimum1 = Load(minima + j + kLanes);
    for (size_t i = 0; i < count; ++i) {
      const __m256i hash = _mm256_set1_epi32(static_cast<int>(hashes[i]));
      minimum0 = _mm256_min_epu32(minimum0, Permute(hash, key0, multiplier0));
      minimum1 = _mm256_min_epu32(minimum1, Permute(hash, key1, multiplier1));
    }
    Store(minima + j, minimum0);
    Store(minima + j + kLanes, minimum1);
  }
}

}  // namespace zhiwen
