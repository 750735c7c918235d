#include <immintrin.h>

#include "kernels/kernels.h"

namespace zhiwen {
namespace {

constexpr size_t kLanes = 4;
constexpr size_t kWord = 64;  // hashes, a bit each

// Whether the highest byte of an order, the fifth of its hash, is `highest` or lower: a bit each of
// kWord hashes.
uint64_t MaybeBelow(const uint64_t* hashes, __m256i highest) {
  constexpr uint32_t kFifthBytes = 0x10101010;
  uint64_t bits = 0;
#pragma GCC unroll 16
  for (size_t v = 0; v < kWord / kLanes; ++v) {
    const __m256i four = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(hashes + v * kLanes));
    const __m256i low = _mm256_cmpeq_epi8(_mm256_min_epu8(four, highest), four);
    const auto bytes = static_cast<uint32_t>(_mm256_movemask_epi8(low));
    bits |= uint64_t{_pext_u32(bytes, kFifthBytes)} << v * kLanes;
  }
  return bits;
}

uint64_t OrderOf(uint64_t hash) {
  const uint64_t high = __builtin_bswap32(static_cast<uint32_t>(hash >> 32));
  return high << 32 | static_cast<uint32_t>(hash);
}

}  // namespace

// Nobody foresees which hashes are below the bound, so that nothing branches on one of them: the
// bits are taken out one after the other, across words that have any.
size_t OrdersOfBits(const uint64_t* hashes, const uint64_t* bits, size_t words, uint64_t bound,
                    uint64_t* out) {
  uint64_t some[kMostOrderBits + 1];
  const uint64_t* begins[kMostOrderBits + 1];
  size_t end = 0;
  size_t count = 0;
  for (size_t i = 0; i < words; ++i) {
    some[end] = bits[i];
    begins[end] = hashes + i * kWord;
    end += bits[i] != 0 ? 1 : 0;
    count += static_cast<size_t>(_mm_popcnt_u64(bits[i]));
  }
  some[end] = 0;
  size_t kept = 0;
  size_t word = 0;
  uint64_t left = some[0];
  for (size_t i = 0; i < count; ++i) {
    const uint64_t order = OrderOf(begins[word][_tzcnt_u64(left)]);
    out[kept] = order;
    kept += order < bound ? 1 : 0;
    left = _blsr_u64(left);
    const uint64_t next = some[word + 1];
    word += left == 0 ? 1 : 0;
    left = left == 0 ? next : left;
  }
  return kept;
}

size_t OrdersBelowAvx2(const uint64_t* hashes, size_t count, uint64_t bound, uint64_t* out) {
  const __m256i highest = _mm256_set1_epi8(static_cast<char>(bound >> 56));
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
  return kept + OrdersBelowScalar(hashes, count, bound, out + kept);
}

// The rank of a value is how many are smaller: equal ones go to one place, and leave places empty.
size_t SortFewAvx2(uint64_t* values, size_t count, uint64_t) {
  constexpr uint64_t kEmpty = ~uint64_t{0};
  constexpr uint64_t kSign = uint64_t{1} << 63;  // turned, since comparisons are of signed numbers
  const size_t end = (count + kLanes - 1) / kLanes * kLanes;
  uint64_t sorted[kMostFew + kLanes];
  uint64_t turned[kMostFew + kLanes];
  for (size_t i = count; i < end; ++i) values[i] = kEmpty;
  for (size_t i = 0; i < end; ++i) {
    sorted[i] = kEmpty;
    turned[i] = values[i] ^ kSign;
  }
  for (size_t i = 0; i < end; i += kLanes) {
    const __m256i own = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(turned + i));
    __m256i ranks = _mm256_setzero_si256();
    for (size_t j = 0; j < end; ++j) {
      const __m256i other = _mm256_set1_epi64x(static_cast<int64_t>(turned[j]));
      ranks = _mm256_sub_epi64(ranks, _mm256_cmpgt_epi64(own, other));
    }
    uint64_t places[kLanes];
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(places), ranks);
    for (size_t v = 0; v < kLanes; ++v) sorted[places[v]] = values[i + v];
  }
  size_t distinct = 0;
  for (size_t i = 0; i < end; ++i) {
    values[distinct] = sorted[i];
    distinct += sorted[i] != kEmpty ? 1 : 0;
  }
  return distinct;
}

}  // namespace zhiwen
