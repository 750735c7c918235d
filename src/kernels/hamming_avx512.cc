#include <immintrin.h>

#include "kernels/kernels.h"

namespace zhiwen {

void MixKeysAvx512(uint32_t key, const uint32_t* flips, size_t count, uint32_t* out) {
  const __m512i keys = _mm512_set1_epi32(static_cast<int>(key));
  const __m512i first = _mm512_set1_epi32(static_cast<int>(0x85EBCA6B));
  const __m512i second = _mm512_set1_epi32(static_cast<int>(0xC2B2AE35));
  for (size_t i = 0; i < count; i += 16) {
    const size_t left = count - i;
    const auto some = static_cast<__mmask16>(left < 16 ? (1U << left) - 1 : 0xFFFFU);
    __m512i mixed = _mm512_xor_si512(keys, _mm512_maskz_loadu_epi32(some, flips + i));
    mixed = _mm512_xor_si512(mixed, _mm512_srli_epi32(mixed, 16));
    mixed = _mm512_mullo_epi32(mixed, first);
    mixed = _mm512_xor_si512(mixed, _mm512_srli_epi32(mixed, 13));
    mixed = _mm512_mullo_epi32(mixed, second);
    mixed = _mm512_xor_si512(mixed, _mm512_srli_epi32(mixed, 16));
    _mm512_mask_storeu_epi32(out + i, some, mixed);
  }
}

size_t CodesWithinAvx512(const uint64_t* codes, size_t count, uint64_t query, uint32_t radius,
                         uint32_t* out) {
  const __m512i queries = _mm512_set1_epi64(static_cast<int64_t>(query));
  const __m512i nibble = _mm512_set1_epi8(15);
  const __m512i bits_of =
      _mm512_broadcast_i32x4(_mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));
  const __m512i bound = _mm512_set1_epi64(static_cast<int64_t>(radius));
  size_t found = 0;
  for (size_t i = 0; i < count; i += 8) {
    const size_t left = count - i;
    const auto some = static_cast<__mmask8>(left < 8 ? (1U << left) - 1 : 0xFFU);
    const __m512i bits = _mm512_xor_si512(_mm512_maskz_loadu_epi64(some, codes + i), queries);
    const __m512i low = _mm512_shuffle_epi8(bits_of, _mm512_and_si512(bits, nibble));
    const __m512i high =
        _mm512_shuffle_epi8(bits_of, _mm512_and_si512(_mm512_srli_epi16(bits, 4), nibble));
    const __m512i distance = _mm512_sad_epu8(_mm512_add_epi8(low, high), _mm512_setzero_si512());
    uint32_t within = _mm512_mask_cmple_epu64_mask(some, distance, bound);
    for (; within != 0; within &= within - 1) {
      out[found++] = static_cast<uint32_t>(i) + _tzcnt_u32(within);
    }
  }
  return found;
}

}  // namespace zhiwen
