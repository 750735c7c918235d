#ifndef ZHIWEN_INDEX_HAMMING_FLIPS_H_
#define ZHIWEN_INDEX_HAMMING_FLIPS_H_

// Enumerates all ways to flip a few bits of a word.

#include <cstddef>
#include <cstdint>
#include <span>

namespace zhiwen {

inline constexpr uint32_t kMaxFlippedBits = 5;

// Returns how many words of `width` bits (at most 64) have at most `radius` ones.
size_t FlipCount(uint32_t width, uint32_t radius);

// Returns these words, of at most 32 bits and kMaxFlippedBits ones, ordered by their number of
// ones, then by value. They are made at the first call and never freed.
// Threads: any.
std::span<const uint32_t> Flips(uint32_t width, uint32_t radius);

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_HAMMING_FLIPS_H_
