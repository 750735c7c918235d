#include <immintrin.h>

#include "kernels/kernels.h"

namespace zhiwen {
namespace {

constexpr size_t kLanes = 8;
constexpr size_t kWord = 64;  // hashes, a bit each

// Writes those of the eight whose bit is set; returns how many.
size_t Keep(__mmask8 kept, __m512i eight, uint64_t* out) {
  _mm512_storeu_si512(out, _mm512_maskz_compress_epi64(kept, eight));
  return static_cast<size_t>(_mm_popcnt_u32(kept));
}

// Whether the highest byte of an order, the fifth of its hash, is `highest` or lower: a bit each of
// kWord hashes.
uint64_t MaybeBelow(const uint64_t* hashes, __m512i highest) {
  constexpr uint64_t kFifthBytes = 0x1010101010101010;
  uint64_t bits = 0;
#pragma GCC unroll 8
  for (size_t v = 0; v < kWord / kLanes; ++v) {
    const __m512i eight = _mm512_loadu_si512(hashes + v * kLanes);
    bits |= _pext_u64(_mm512_cmple_epu8_mask(eight, highest), kFifthBytes) << v * kLanes;
  }
  return bits;
}

// Of fewer than kWord hashes, of which many may be below the bound.
size_t OrdersOfRest(const uint64_t* hashes, size_t size, uint64_t bound, uint64_t* out) {
  const __m512i reversed =
      _mm512_broadcast_i32x4(_mm_setr_epi8(0, 1, 2, 3, 7, 6, 5, 4, 8, 9, 10, 11, 15, 14, 13, 12));
  const __m512i bounds = _mm512_set1_epi64(static_cast<int64_t>(bound));
  size_t kept = 0;
  for (size_t i = 0; i < size; i += kLanes) {
    const auto there = static_cast<__mmask8>(_bzhi_u32(0xFF, static_cast<uint32_t>(size - i)));
    const __m512i eight = _mm512_maskz_loadu_epi64(there, hashes + i);
    const __m512i orders = _mm512_shuffle_epi8(eight, reversed);
    kept += Keep(_mm512_mask_cmplt_epu64_mask(there, orders, bounds), orders, out + kept);
  }
  return kept;
}

}  // namespace

size_t OrdersBelowAvx512(const uint64_t* hashes, size_t count, uint64_t bound, uint64_t* out) {
  const __m512i highest = _mm512_set1_epi8(static_cast<char>(bound >> 56));
  size_t kept = 0;
  while (count >= kWord) {
    uint64_t bits[kMostOrderBits];
    size_t words = 0;
    for (; words < kMostOrderBits && count >= kWord; ++words, count -= kWord) {
      bits[words] = MaybeBelow(hashes + words * kWord, highest);
    }
    kept += OrdersOfBits(hashes, bits, words, bound, out + kept);
    hashes += words * kWord;
  }
  return kept + OrdersOfRest(hashes, count, bound, out + kept);
}

// The rank of a value is how many are smaller: equal ones go to one place, and leave places empty.
size_t SortFewAvx512(uint64_t* values, size_t count, uint64_t) {
  const __m512i empty = _mm512_set1_epi64(-1);
  const size_t end = (count + kLanes - 1) / kLanes * kLanes;
  uint64_t sorted[kMostFew + kLanes];
  for (size_t i = count; i < end; ++i) values[i] = ~uint64_t{0};
  for (size_t i = 0; i < end; i += kLanes) _mm512_storeu_si512(sorted + i, empty);
  for (size_t i = 0; i < end; i += kLanes) {
    const __m512i own = _mm512_loadu_si512(values + i);
    __m512i ranks = _mm512_setzero_si512();
    for (size_t j = 0; j < end; j += kLanes) {
#pragma GCC unroll 8
      for (size_t k = j; k < j + kLanes; ++k) {
        const __m512i other = _mm512_set1_epi64(static_cast<int64_t>(values[k]));
        ranks = _mm512_mask_sub_epi64(ranks, _mm512_cmplt_epu64_mask(other, own), ranks, empty);
      }
    }
    _mm512_i64scatter_epi64(sorted, ranks, own, sizeof(uint64_t));
  }
  size_t distinct = 0;
  for (size_t i = 0; i < end; i += kLanes) {
    const __m512i eight = _mm512_loadu_si512(sorted + i);
    distinct += Keep(_mm512_cmpneq_epu64_mask(eight, empty), eight, values + distinct);
  }
  return distinct;
}

}  // namespace zhiwen
