// Of a long text few hashes are below the bound: 32 at a time are looked at, and mostly none is
// kept. Of a short one nobody foresees whether one is, and all are written.

#include <immintrin.h>

#include "kernels/kernels.h"

namespace zhiwen {
namespace {

constexpr size_t kLanes = 8;
constexpr size_t kVectors = 4;
constexpr uint64_t kFewBelow = ~uint64_t{0} / 128;  // a bound with which one of four groups is kept

// The orders of eight hashes: of each the bytes of the high half are reversed.
__m512i OrdersOf(const uint64_t* hashes) {
  const __m512i reversed =
      _mm512_broadcast_i32x4(_mm_setr_epi8(0, 1, 2, 3, 7, 6, 5, 4, 8, 9, 10, 11, 15, 14, 13, 12));
  return _mm512_shuffle_epi8(_mm512_loadu_si512(hashes), reversed);
}

size_t Keep(__mmask8 below, __m512i orders, uint64_t* out) {
  _mm512_storeu_si512(out, _mm512_maskz_compress_epi64(below, orders));
  return static_cast<size_t>(_mm_popcnt_u32(below));
}

}  // namespace

size_t OrdersBelowAvx512(const uint64_t* hashes, size_t count, uint64_t bound, uint64_t* out) {
  const __m512i bounds = _mm512_set1_epi64(static_cast<int64_t>(bound));
  size_t kept = 0;
  size_t i = 0;
  for (; i + kVectors * kLanes <= count; i += kVectors * kLanes) {
    __m512i orders[kVectors];
    __mmask8 below[kVectors];
    uint32_t any = 0;
    for (size_t v = 0; v < kVectors; ++v) {
      orders[v] = OrdersOf(hashes + i + v * kLanes);
      below[v] = _mm512_cmplt_epu64_mask(orders[v], bounds);
      any |= below[v];
    }
    if (any == 0 && bound < kFewBelow) continue;
    for (size_t v = 0; v < kVectors; ++v) kept += Keep(below[v], orders[v], out + kept);
  }
  return kept + OrdersBelowScalar(hashes + i, count - i, bound, out + kept);
}

}  // namespace zhiwen
