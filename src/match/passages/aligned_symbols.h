#ifndef ZHIWEN_MATCH_PASSAGES_ALIGNED_SYMBOLS_H_
#define ZHIWEN_MATCH_PASSAGES_ALIGNED_SYMBOLS_H_

// Aligns the symbols of a block: its equal stretches as they are, what lies between them and at
// its ends with the fewest edits. S. Needleman, C. Wunsch, "A general method applicable to the
// search for similarities in the amino acid sequence of two proteins", 1970.
//
// In          symbols of both texts, and a block of them
// Out         pairs, ascending in both texts; each symbol of the block is in one
// Cost        linear in the block: a gap has at most 40 symbols a side, and of the ends of a block,
//             400 symbols, a band of 31 places is looked at
// Threads     free function

#include <cstdint>
#include <span>
#include <vector>

#include "match/passages/channel_passages.h"

namespace zhiwen {

inline constexpr uint32_t kNoSymbol = UINT32_MAX;

struct AlignedSymbols {
  uint32_t a = kNoSymbol, b = kNoSymbol;  // kNoSymbol: the text has none there
  bool are_equal = false;                 // on the channel

  bool is_one_sided() const { return a == kNoSymbol || b == kNoSymbol; }

  friend bool operator==(const AlignedSymbols&, const AlignedSymbols&) = default;
};

std::vector<AlignedSymbols> AlignBlock(std::span<const uint32_t> a, std::span<const uint32_t> b,
                                       const PassageBlock& block);

}  // namespace zhiwen

#endif  // ZHIWEN_MATCH_PASSAGES_ALIGNED_SYMBOLS_H_
