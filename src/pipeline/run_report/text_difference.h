#ifndef ZHIWEN_PIPELINE_RUN_REPORT_TEXT_DIFFERENCE_H_
#define ZHIWEN_PIPELINE_RUN_REPORT_TEXT_DIFFERENCE_H_

// Two texts for reading side by side: which parts of each the other one has, in the same bytes or
// in another spelling, with what is the same at length left out.
//
// In          two UTF-8 texts and the channel that a run compared them on
// Out         the parts of both, in order; put together they are the text, but for what is left out
// Guarantees  kShared has the same bytes in both texts, kFolded the same symbols; a passage that
//             was moved counts as shared
// Cost        linear (match/shared_runs.h), on the first kComparedBytes of each text at most
// Threads     free function
// Fails       kUnreadable: a text is not valid UTF-8
// Not for     measuring: zhiwen/compare.h

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "zhiwen/channel.h"
#include "zhiwen/dedup_findings.h"
#include "zhiwen/result.h"

namespace zhiwen {

inline constexpr size_t kComparedBytes = size_t{32} << 10;
// Code points of one text that are shown at most; a line end counts as kLineEndCost of them.
inline constexpr size_t kShownCodePoints = 600;
inline constexpr size_t kLineEndCost = 20;

struct TextPair {
  ShownText a, b;
};

// The part of `text` that is compared: kComparedBytes at most, cut between characters.
std::string_view ComparedBeginning(std::string_view text);

// Both texts, of which the compared part suffices (AppendCut counts the rest).
Result<TextPair> ShowDifference(const Channel& channel, std::string_view a, std::string_view b);

// Both texts with all that is compared; what lies behind it is one kCut.
Result<TextPair> SplitDifference(const Channel& channel, std::string_view a, std::string_view b);

// Says at the end of `text` that so many more code points of it are not shown.
void AppendCut(ShownText& text, uint64_t code_points);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_RUN_REPORT_TEXT_DIFFERENCE_H_
