#include <immintrin.h>

#include "kernels/kernels.h"

namespace zhiwen {
namespace {

constexpr size_t kLanes = 32;

uint32_t EqualBytes(const uint8_t* a, const uint8_t* b) {
  const __m256i equal = _mm256_cmpeq_epi8(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(a)),
                                          _mm256_loadu_si256(reinterpret_cast<const __m256i*>(b)));
  return static_cast<uint32_t>(_mm256_movemask_epi8(equal));
}

}  // namespace

size_t CountEqualAvx2(const uint8_t* a, const uint8_t* b, size_t count) {
  if (count < kLanes) return CountEqualScalar(a, b, count);
  size_t equal = 0;
  size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    equal += static_cast<size_t>(_mm_popcnt_u32(EqualBytes(a + i, b + i)));
  }
  if (i == count) return equal;
  // The last register overlaps the one before it; its low bytes are counted already.
  const size_t counted = kLanes - (count - i);
  const uint32_t last = EqualBytes(a + count - kLanes, b + count - kLanes);
  return equal + static_cast<size_t>(_mm_popcnt_u32(last >> counted));
}

}  // namespace zhiwen
