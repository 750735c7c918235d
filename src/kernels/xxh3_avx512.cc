#include <immintrin.h>

#include "kernels/kernels.h"

namespace zhiwen {
namespace {

__m512i Accumulate(const uint8_t* stripe, const uint8_t* secret, __m512i sums) {
  const __m512i value = _mm512_loadu_si512(stripe);
  const __m512i keyed = _mm512_xor_si512(value, _mm512_loadu_si512(secret));
  const __m512i product = _mm512_mul_epu32(keyed, _mm512_srli_epi64(keyed, 32));
  const __m512i neighbours = _mm512_shuffle_epi32(value, _MM_PERM_BADC);
  return _mm512_add_epi64(product, _mm512_add_epi64(sums, neighbours));
}

__m512i Scramble(const uint8_t* secret, __m512i sums) {
  const __m512i prime = _mm512_set1_epi64(kXxh3Prime);
  const __m512i keyed = _mm512_xor_si512(_mm512_xor_si512(sums, _mm512_srli_epi64(sums, 47)),
                                         _mm512_loadu_si512(secret));
  const __m512i high = _mm512_mul_epu32(_mm512_srli_epi64(keyed, 32), prime);
  return _mm512_add_epi64(_mm512_mul_epu32(keyed, prime), _mm512_slli_epi64(high, 32));
}

}  // namespace

void Xxh3StripesAvx512(const uint8_t* bytes, size_t size, const uint8_t* secret, uint64_t* sums) {
  const uint8_t* const last = bytes + size - kXxh3Stripe;
  __m512i all = _mm512_loadu_si512(sums);
  for (; size > kXxh3Stripe * kXxh3StripesOfBlock; size -= kXxh3Stripe * kXxh3StripesOfBlock) {
    for (size_t stripe = 0; stripe < kXxh3StripesOfBlock; ++stripe) {
      all = Accumulate(bytes, secret + 8 * stripe, all);
      bytes += kXxh3Stripe;
    }
    all = Scramble(secret + 8 * kXxh3StripesOfBlock, all);
  }
  for (size_t stripe = 0; size > kXxh3Stripe; ++stripe, size -= kXxh3Stripe) {
    all = Accumulate(bytes, secret + 8 * stripe, all);
    bytes += kXxh3Stripe;
  }
  all = Accumulate(last, secret + kXxh3LastSecret, all);
  _mm512_storeu_si512(sums, all);
}

}  // namespace zhiwen
