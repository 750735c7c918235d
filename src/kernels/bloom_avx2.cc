#include <immintrin.h>

#include "kernels/kernels.h"

namespace zhiwen {
namespace {

constexpr size_t kAhead = 16;  // blocks that are waited for together

uint64_t FirstWord(uint64_t hash, uint64_t blocks) {
  return ((hash >> 32) * blocks >> 32) * kBlockWords;
}

// A bit of each word.
__m256i BitsOf(uint64_t hash) {
  const __m256i salts = _mm256_setr_epi32(
      static_cast<int>(0x47B6137B), static_cast<int>(0x44974D91), static_cast<int>(0x8824AD5B),
      static_cast<int>(0xA2B7289D), static_cast<int>(0x705495C7), static_cast<int>(0x2DF1424B),
      static_cast<int>(0x9EFC4947), static_cast<int>(0x5C6BFB31));
  const __m256i low = _mm256_set1_epi32(static_cast<int>(hash));
  const __m256i shifts = _mm256_srli_epi32(_mm256_mullo_epi32(low, salts), 27);
  return _mm256_sllv_epi32(_mm256_set1_epi32(1), shifts);
}

}  // namespace

size_t SelectBlocksAvx2(const uint32_t* words, uint64_t blocks, const uint64_t* hashes,
                        size_t count, uint32_t* selected) {
  size_t found = 0;
  for (size_t i = 0; i < count && i < kAhead; ++i) {
    __builtin_prefetch(words + FirstWord(hashes[i], blocks));
  }
  for (size_t i = 0; i < count; ++i) {
    if (i + kAhead < count) __builtin_prefetch(words + FirstWord(hashes[i + kAhead], blocks));
    const auto* const at = reinterpret_cast<const __m256i*>(words + FirstWord(hashes[i], blocks));
    selected[found] = static_cast<uint32_t>(i);
    found += static_cast<size_t>(_mm256_testc_si256(_mm256_loadu_si256(at), BitsOf(hashes[i])));
  }
  return found;
}

size_t FillBlocksAvx2(uint32_t* words, uint64_t blocks, const uint64_t* hashes, size_t count) {
  size_t known = 0;
  for (size_t i = 0; i < count && i < kAhead; ++i) {
    __builtin_prefetch(words + FirstWord(hashes[i], blocks), 1);
  }
  for (size_t i = 0; i < count; ++i) {
    if (i + kAhead < count) __builtin_prefetch(words + FirstWord(hashes[i + kAhead], blocks), 1);
    auto* const at = reinterpret_cast<__m256i*>(words + FirstWord(hashes[i], blocks));
    const __m256i block = _mm256_loadu_si256(at);
    const __m256i bits = BitsOf(hashes[i]);
    known += static_cast<size_t>(_mm256_testc_si256(block, bits));
    _mm256_storeu_si256(at, _mm256_or_si256(block, bits));
  }
  return count - known;
}

}  // namespace zhiwen
