#ifndef ZHIWEN_PIPELINE_COMPARE_MARKED_TEXT_H_
#define ZHIWEN_PIPELINE_COMPARE_MARKED_TEXT_H_

// A whole text as HTML, with its passages and edits marked.
//
// Out         blocks of whole lines, which a browser lays out when they are seen. A part of a
//             passage is a <mark> with data-p, its number from 1; a part of an edit has data-e,
//             the number of the passage and its own in it; the first part of a passage is led by
//             its number, a link to the other text, with the id "a3" or "b3"
// Guarantees  the text of the page, without numbers, is the text; of passages that overlap, the
//             first has what both have
// Cost        linear in the text, and a sort of pieces and edits
// Threads     free functions

#include <string>
#include <string_view>

#include "match/passages/passage_parts.h"
#include "zhiwen/passages.h"

namespace zhiwen {

std::string RenderMarkedText(std::string_view text, PassageSide side,
                             const PassageComparison& passages);

// A bar that shows where the passages are in a text.
std::string RenderPassageMap(std::string_view text, PassageSide side,
                             const PassageComparison& passages);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_COMPARE_MARKED_TEXT_H_
