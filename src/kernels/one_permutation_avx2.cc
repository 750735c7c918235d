// The bins of a block are computed in registers first; what remains for each hash is one load,
// minimum and store.

#include <immintrin.h>

#include "kernels/kernels.h"

namespace zhiwen {
namespace {

constexpr size_t kLanes = 4;
constexpr size_t kBlock = 256;

void ComputeBins(const uint64_t* hashes, size_t count, uint32_t bins, uint64_t* out) {
  const __m256i scale = _mm256_set1_epi64x(bins);
  size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    const __m256i hash = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(hashes + i));
    const __m256i scaled = _mm256_mul_epu32(_mm256_srli_epi64(hash, 32), scale);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + i), _mm256_srli_epi64(scaled, 32));
  }
  for (; i < count; ++i) out[i] = (hashes[i] >> 32) * bins >> 32;
}

}  // namespace

void OnePermutationAvx2(const uint64_t* hashes, size_t count, uint32_t bins, uint32_t* minima) {
  uint64_t bin[kBlock];
  for (; count > 0;) {
    const size_t size = count < kBlock ? count : kBlock;
    ComputeBins(hashes, size, bins, bin);
    for (size_t i = 0; i < size; ++i) {
      const uint32_t value = static_cast<uint32_t>(hashes[i]);
      const uint32_t minimum = minima[bin[i]];
      minima[bin[i]] = value < minimum ? value : minimum;
    }
    hashes += size;
    count -= size;
  }
}

}  // namespace zhiwen
