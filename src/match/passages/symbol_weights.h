#ifndef ZHIWEN_MATCH_PASSAGES_SYMBOL_WEIGHTS_H_
#define ZHIWEN_MATCH_PASSAGES_SYMBOL_WEIGHTS_H_

// How much a symbol of a channel says: letters and digits are equal by chance more often than
// Chinese characters, and a word of letters says as much as one or two of them.
//
// In          a text and the bytes of its symbols
// Out         a weight for each symbol: 1 for a Chinese character and other characters of their
//             own, 0.4 for each letter or digit, together at most that of a whole word; 0 for
//             U+FFFD, which stands for what could not be decoded
// Threads     free function

#include <span>
#include <string_view>
#include <vector>

#include "zhiwen/offsets.h"

namespace zhiwen {

struct WordWeights {
  double character = 0.4;  // of a letter or digit
  double most = 2;         // of a word
};

std::vector<float> ComputeSymbolWeights(std::string_view text, std::span<const ByteSpan> symbols,
                                        const WordWeights& words);

}  // namespace zhiwen

#endif  // ZHIWEN_MATCH_PASSAGES_SYMBOL_WEIGHTS_H_
