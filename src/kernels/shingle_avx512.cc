// Two passes over blocks that stay in the first cache: mix every symbol once, then join five.

#include <immintrin.h>

#include "kernels/kernels.h"

namespace zhiwen {
namespace {

constexpr size_t kBlock = 504;  // shingles; kBlock + 4 symbols are no whole number of registers
constexpr size_t kLanes = 8;
constexpr int kTurn = 13;

__mmask8 Lanes(size_t wanted) {
  return static_cast<__mmask8>(wanted >= kLanes ? 0xFF : (1u << wanted) - 1);
}

__m512i Mix(__m256i symbols) {
  __m512i x = _mm512_mul_epu32(_mm512_cvtepu32_epi64(symbols), _mm512_set1_epi64(0x9E3779B1));
  x = _mm512_xor_si512(x, _mm512_srli_epi64(x, 32));
  x = _mm512_mullo_epi64(x, _mm512_set1_epi64(static_cast<int64_t>(0xBB67AE8584CAA73B)));
  return _mm512_xor_si512(x, _mm512_srli_epi64(x, 32));
}

__m512i Finish(__m512i x) {
  x = _mm512_xor_si512(x, _mm512_srli_epi64(x, 32));
  x = _mm512_mullo_epi64(x, _mm512_set1_epi64(static_cast<int64_t>(0x9E3779B97F4A7C15)));
  return _mm512_xor_si512(x, _mm512_srli_epi64(x, 32));
}

__m512i Xor3(__m512i a, __m512i b, __m512i c) { return _mm512_ternarylogic_epi64(a, b, c, 0x96); }

__m512i Join(const uint64_t* mixed) {
  const __m512i m0 = _mm512_loadu_si512(mixed);
  const __m512i m1 = _mm512_rol_epi64(_mm512_loadu_si512(mixed + 1), kTurn);
  const __m512i m2 = _mm512_rol_epi64(_mm512_loadu_si512(mixed + 2), 2 * kTurn);
  const __m512i m3 = _mm512_rol_epi64(_mm512_loadu_si512(mixed + 3), 3 * kTurn);
  const __m512i m4 = _mm512_rol_epi64(_mm512_loadu_si512(mixed + 4), 4 * kTurn);
  return Finish(Xor3(Xor3(m0, m1, m2), m3, m4));
}

// count <= kBlock.
void HashBlock(const uint32_t* symbols, size_t count, uint64_t* out) {
  alignas(64) uint64_t mixed[kBlock + 4 + 2 * kLanes];
  for (size_t i = 0; i < count + 4; i += kLanes) {
    const __m256i lanes = _mm256_maskz_loadu_epi32(Lanes(count + 4 - i), symbols + i);
    _mm512_store_si512(mixed + i, Mix(lanes));
  }
  size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) _mm512_storeu_si512(out + i, Join(mixed + i));
  if (i < count) _mm512_mask_storeu_epi64(out + i, Lanes(count - i), Join(mixed + i));
}

}  // namespace

void ShingleHashesAvx512(const uint32_t* symbols, size_t count, uint64_t* out) {
  for (; count > kBlock; count -= kBlock, symbols += kBlock, out += kBlock) {
    HashBlock(symbols, kBlock, out);
  }
  if (count > 0) HashBlock(symbols, count, out);
}

}  // namespace zhiwen
