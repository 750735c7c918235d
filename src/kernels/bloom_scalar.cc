#include "kernels/kernels.h"

namespace zhiwen {
namespace {

// Of Apache Parquet's split block Bloom filter.
constexpr uint32_t kSalts[kBlockWords] = {0x47B6137B, 0x44974D91, 0x8824AD5B, 0xA2B7289D,
                                          0x705495C7, 0x2DF1424B, 0x9EFC4947, 0x5C6BFB31};
constexpr size_t kAhead = 16;  // blocks that are waited for together

uint64_t FirstWord(uint64_t hash, uint64_t blocks) {
  return ((hash >> 32) * blocks >> 32) * kBlockWords;
}

uint32_t BitOf(uint64_t hash, size_t word) {
  return uint32_t{1} << (static_cast<uint32_t>(hash) * kSalts[word] >> 27);
}

}  // namespace

size_t SelectBlocksScalar(const uint32_t* words, uint64_t blocks, const uint64_t* hashes,
                          size_t count, uint32_t* selected) {
  size_t found = 0;
  for (size_t i = 0; i < count && i < kAhead; ++i) {
    __builtin_prefetch(words + FirstWord(hashes[i], blocks));
  }
  for (size_t i = 0; i < count; ++i) {
    if (i + kAhead < count) __builtin_prefetch(words + FirstWord(hashes[i + kAhead], blocks));
    const uint32_t* const block = words + FirstWord(hashes[i], blocks);
    uint32_t missing = 0;
    for (size_t w = 0; w < kBlockWords; ++w) missing |= ~block[w] & BitOf(hashes[i], w);
    selected[found] = static_cast<uint32_t>(i);
    found += missing == 0 ? 1 : 0;
  }
  return found;
}

size_t FillBlocksScalar(uint32_t* words, uint64_t blocks, const uint64_t* hashes, size_t count) {
  size_t added = 0;
  for (size_t i = 0; i < count && i < kAhead; ++i) {
    __builtin_prefetch(words + FirstWord(hashes[i], blocks), 1);
  }
  for (size_t i = 0; i < count; ++i) {
    if (i + kAhead < count) __builtin_prefetch(words + FirstWord(hashes[i + kAhead], blocks), 1);
    uint32_t* const block = words + FirstWord(hashes[i], blocks);
    uint32_t missing = 0;
    for (size_t w = 0; w < kBlockWords; ++w) {
      const uint32_t bit = BitOf(hashes[i], w);
      missing |= ~block[w] & bit;
      block[w] |= bit;
    }
    added += missing == 0 ? 0 : 1;
  }
  return added;
}

}  // namespace zhiwen
