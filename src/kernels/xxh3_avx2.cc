#include <immintrin.h>

#include "kernels/kernels.h"

namespace zhiwen {
namespace {

struct Sums {
  __m256i low, high;
};

__m256i Load(const void* at) { return _mm256_loadu_si256(static_cast<const __m256i*>(at)); }

__m256i AccumulateHalf(const uint8_t* stripe, const uint8_t* secret, __m256i sums) {
  const __m256i value = Load(stripe);
  const __m256i keyed = _mm256_xor_si256(value, Load(secret));
  const __m256i product = _mm256_mul_epu32(keyed, _mm256_srli_epi64(keyed, 32));
  const __m256i neighbours = _mm256_shuffle_epi32(value, _MM_SHUFFLE(1, 0, 3, 2));
  return _mm256_add_epi64(product, _mm256_add_epi64(sums, neighbours));
}

Sums Accumulate(const uint8_t* stripe, const uint8_t* secret, Sums sums) {
  return {AccumulateHalf(stripe, secret, sums.low),
          AccumulateHalf(stripe + 32, secret + 32, sums.high)};
}

__m256i ScrambleHalf(const uint8_t* secret, __m256i sums) {
  const __m256i prime = _mm256_set1_epi64x(kXxh3Prime);
  const __m256i keyed =
      _mm256_xor_si256(_mm256_xor_si256(sums, _mm256_srli_epi64(sums, 47)), Load(secret));
  const __m256i high = _mm256_mul_epu32(_mm256_srli_epi64(keyed, 32), prime);
  return _mm256_add_epi64(_mm256_mul_epu32(keyed, prime), _mm256_slli_epi64(high, 32));
}

Sums Scramble(const uint8_t* secret, Sums sums) {
  return {ScrambleHalf(secret, sums.low), ScrambleHalf(secret + 32, sums.high)};
}

}  // namespace

void Xxh3StripesAvx2(const uint8_t* bytes, size_t size, const uint8_t* secret, uint64_t* sums) {
  const uint8_t* const last = bytes + size - kXxh3Stripe;
  Sums all{Load(sums), Load(sums + 4)};
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
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(sums), all.low);
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(sums + 4), all.high);
}

}  // namespace zhiwen
