#ifndef ZHIWEN_INDEX_HAMMING_FLIPS_H_
#define ZHIWEN_INDEX_HAMMING_FLIPS_H_

// Every way to change a few bits of a word.

#include <cstddef>
#include <cstdint>
#include <span>

namespace zhiwen {

inline constexpr uint32_t kMaxFlippedBits = 5;

// How many words of `width` bits, 64 at most, have at most `radius` ones.
size_t FlipCount(uint32_t width, uint32_t radius);

// They themselves, of 32 bits and kMaxFlippedBits ones at most, by their ones, then by value. Made
// when first asked for; never go.
// Threads: any.
std::span<const uint32_t> Flips(uint32_t width, uint32_t radius);

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_HAMMING_FLIPS_H_
