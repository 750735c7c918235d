#ifndef ZHIWEN_MATCH_PASSAGES_WORD_RULES_H_
#define ZHIWEN_MATCH_PASSAGES_WORD_RULES_H_

// What a passage of words must have: of a reworded sentence often no more than two words in a row
// are left, and a word says more than a character.
//
// In          the rules of a channel, and the weights of a copy on it
// Out         rules with seeds of two words, where the symbols of the copy weigh 1.3 on average or
//             more; else those that were given. The least score stays
// Guarantees  a passage has a run of kLeastRun symbols somewhere: texts without one need not be
//             compared
// Threads     free function

#include <cstdint>

#include "match/passages/chains.h"
#include "match/passages/channel_passages.h"

namespace zhiwen {

inline constexpr uint32_t kLeastRun = PassageRules().seed;

PassageRules FitToWords(PassageRules rules, const WeightSums& copy);

}  // namespace zhiwen

#endif  // ZHIWEN_MATCH_PASSAGES_WORD_RULES_H_
