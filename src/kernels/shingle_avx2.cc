// Two passes over blocks that stay in the first cache: mix every symbol once, then join five.

#include <immintrin.h>

#include "kernels/kernels.h"

namespace zhiwen {
namespace {

constexpr size_t kBlock = 508;  // shingles
constexpr size_t kLanes = 4;
constexpr int kTurn = 13;

__m256i FirstLanes(size_t wanted) {
  const __m256i bound = _mm256_set1_epi64x(static_cast<int64_t>(wanted));
  return _mm256_cmpgt_epi64(bound, _mm256_setr_epi64x(0, 1, 2, 3));
}

// The low 64 bits of x * (high << 32 | low): AVX2 multiplies 32 by 32 bits only.
__m256i Multiply(__m256i x, uint32_t high, uint32_t low) {
  const __m256i low_word = _mm256_set1_epi64x(low);
  const __m256i cross = _mm256_add_epi64(_mm256_mul_epu32(_mm256_srli_epi64(x, 32), low_word),
                                         _mm256_mul_epu32(x, _mm256_set1_epi64x(high)));
  return _mm256_add_epi64(_mm256_mul_epu32(x, low_word), _mm256_slli_epi64(cross, 32));
}

__m256i XorHigh(__m256i x) { return _mm256_xor_si256(x, _mm256_srli_epi64(x, 32)); }

__m256i Mix(__m128i symbols) {
  const __m256i x =
      _mm256_mul_epu32(_mm256_cvtepu32_epi64(symbols), _mm256_set1_epi64x(0x9E3779B1));
  return XorHigh(Multiply(XorHigh(x), 0xBB67AE85, 0x84CAA73B));
}

__m256i Finish(__m256i x) { return XorHigh(Multiply(XorHigh(x), 0x9E3779B9, 0x7F4A7C15)); }

template <int kBits>
__m256i LoadTurned(const uint64_t* from) {
  const __m256i x = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
  return _mm256_or_si256(_mm256_slli_epi64(x, kBits), _mm256_srli_epi64(x, 64 - kBits));
}

__m256i Join(const uint64_t* mixed) {
  const __m256i m0 = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(mixed));
  const __m256i m01 = _mm256_xor_si256(m0, LoadTurned<kTurn>(mixed + 1));
  const __m256i m23 =
      _mm256_xor_si256(LoadTurned<2 * kTurn>(mixed + 2), LoadTurned<3 * kTurn>(mixed + 3));
  const __m256i m4 = LoadTurned<4 * kTurn>(mixed + 4);
  return Finish(_mm256_xor_si256(_mm256_xor_si256(m01, m23), m4));
}

void Store(uint64_t* to, __m256i x) { _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), x); }

// count <= kBlock.
void HashBlock(const uint32_t* symbols, size_t count, uint64_t* out) {
  alignas(32) uint64_t mixed[kBlock + 4 + 2 * kLanes];
  size_t i = 0;
  for (; i + kLanes <= count + 4; i += kLanes) {
    Store(mixed + i, Mix(_mm_loadu_si128(reinterpret_cast<const __m128i*>(symbols + i))));
  }
  for (; i < count + 4; ++i) Store(mixed + i, Mix(_mm_cvtsi32_si128(static_cast<int>(symbols[i]))));
  i = 0;
  for (; i + kLanes <= count; i += kLanes) Store(out + i, Join(mixed + i));
  if (i < count) {
    _mm256_maskstore_epi64(reinterpret_cast<long long*>(out + i), FirstLanes(count - i),
                           Join(mixed + i));
  }
}

}  // namespace

void ShingleHashesAvx2(const uint32_t* symbols, size_t count, uint64_t* out) {
  for (; count > kBlock; count -= kBlock, symbols += kBlock, out += kBlock) {
    HashBlock(symbols, kBlock, out);
  }
  if (count > 0) HashBlock(symbols, count, out);
}

}  // namespace zhiwen
