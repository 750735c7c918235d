#ifndef ZHIWEN_DOCUMENT_HTML_BODY_CHOICE_H_
#define ZHIWEN_DOCUMENT_HTML_BODY_CHOICE_H_

// Which blocks of a page are its body, by the probability of each.
//
// In          blocks with their counts and probabilities
// Out         the chosen blocks, ascending
// Guarantees  the choice has the largest expected F1 over tokens among the thresholds of
//             probability, but none below 0.4 where the rest is enough. It is empty only where no
//             block has a token. Of blocks with the same text the more probable one stays
// Cost        linear in the blocks
// Threads     free functions

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "document/html/block_statistics.h"
#include "document/html/html_page.h"

namespace zhiwen {

std::vector<uint32_t> ChooseBody(const HtmlPage& page, std::span<const BlockStatistics> statistics,
                                 std::span<const float> probabilities);

// Returns the text of the chosen blocks, a line each, without a line end behind the last.
std::string JoinBlocks(const HtmlPage& page, std::span<const uint32_t> blocks);

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENT_HTML_BODY_CHOICE_H_
