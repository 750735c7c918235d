// Once every bin has seen a few hashes, most hashes are above the greatest minimum and cannot win;
// those are dropped eight at a time.

#include <immintrin.h>

#include "kernels/kernels.h"

namespace zhiwen {
namespace {

constexpr size_t kLanes = 8;
constexpr size_t kBlock = 512;
constexpr size_t kWarmUp = 8;  // hashes a bin, after which hardly a bin is empty
// Above this many bins the greatest minimum costs more than it saves.
constexpr uint32_t kMaxBins = 1024;

uint32_t Greatest(const uint32_t* minima, uint32_t bins) {
  __m512i greatest = _mm512_setzero_si512();
  for (uint32_t i = 0; i < bins; i += 16) {
    const uint32_t left = bins - i;
    const auto lanes = static_cast<__mmask16>(left >= 16 ? 0xFFFF : (1u << left) - 1);
    greatest = _mm512_max_epu32(greatest, _mm512_maskz_loadu_epi32(lanes, minima + i));
  }
  return _mm512_reduce_max_epu32(greatest);
}

// Writes those of the hashes whose low half is below `bound` to `out`; returns how many.
size_t KeepBelow(const uint64_t* hashes, size_t count, uint32_t bound, uint64_t* out) {
  const __m512i bounds = _mm512_set1_epi64(bound);
  const __m512i low_half = _mm512_set1_epi64(0xFFFFFFFF);
  size_t kept = 0;
  size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    const __m512i hash = _mm512_loadu_si512(hashes + i);
    const __mmask8 below = _mm512_cmplt_epu64_mask(_mm512_and_si512(hash, low_half), bounds);
    _mm512_storeu_si512(out + kept, _mm512_maskz_compress_epi64(below, hash));
    kept += static_cast<size_t>(_mm_popcnt_u32(below));
  }
  for (; i < count; ++i) {
    out[kept] = hashes[i];
    kept += static_cast<uint32_t>(hashes[i]) < bound;
  }
  return kept;
}

}  // namespace

void OnePermutationAvx512(const uint64_t* hashes, size_t count, uint32_t bins, uint32_t* minima) {
  if (bins > kMaxBins) return OnePermutationAvx2(hashes, count, bins, minima);
  const size_t warm_up = count < kWarmUp * bins ? count : kWarmUp * bins;
  OnePermutationAvx2(hashes, warm_up, bins, minima);
  uint64_t kept[kBlock + kLanes];
  for (size_t i = warm_up; i < count; i += kBlock) {
    const size_t size = count - i < kBlock ? count - i : kBlock;
    const uint32_t bound = Greatest(minima, bins);
    OnePermutationAvx2(kept, KeepBelow(hashes + i, size, bound, kept), bins, minima);
  }
}

}  // namespace zhiwen
