#include <immintrin.h>

#include "kernels/kernels.h"

namespace zhiwen {
namespace {

constexpr size_t kLanes = 32;
constexpr size_t kMostSteps = 255;  // of sums of 8 bits

}  // namespace

size_t CountCodePointsAvx2(const uint8_t* bytes, size_t size) {
  const __m256i last_of_later_bytes = _mm256_set1_epi8(static_cast<char>(0xBF));
  __m256i total = _mm256_setzero_si256();
  size_t i = 0;
  while (i + kLanes <= size) {
    __m256i sums = _mm256_setzero_si256();
    for (size_t step = 0; step < kMostSteps && i + kLanes <= size; ++step, i += kLanes) {
      const __m256i block = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(bytes + i));
      // A signed comparison: 80 to BF are the lowest.
      sums = _mm256_sub_epi8(sums, _mm256_cmpgt_epi8(block, last_of_later_bytes));
    }
    total = _mm256_add_epi64(total, _mm256_sad_epu8(sums, _mm256_setzero_si256()));
  }
  const __m128i halves =
      _mm_add_epi64(_mm256_castsi256_si128(total), _mm256_extracti128_si256(total, 1));
  const auto counted = static_cast<size_t>(_mm_extract_epi64(halves, 0)) +
                       static_cast<size_t>(_mm_extract_epi64(halves, 1));
  return counted + CountCodePointsScalar(bytes + i, size - i);
}

}  // namespace zhiwen
