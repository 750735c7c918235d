#ifndef ZHIWEN_MATCH_PASSAGES_CUT_PASSAGE_H_
#define ZHIWEN_MATCH_PASSAGES_CUT_PASSAGE_H_

// Cuts a passage where places of the copy begin and end that do not count (zhiwen/exclusions.h).
//
// Guarantees  the pieces and edits of the parts, put together, are those of the passage; an
//             edit that goes across a border is whole, on the side where it begins
// Cost        linear in the passage and its places
// Threads     free function

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "zhiwen/exclusions.h"
#include "zhiwen/passages.h"

namespace zhiwen {

// A part of a passage, or all of it, and why it does not count; none: it does.
struct CutPassage {
  std::vector<PassagePiece> pieces = {};
  std::vector<PassageEdit> edits = {};
  std::optional<ExclusionReason> reason = {};
  uint64_t matched_bytes = 0;    // of the copy that both texts say
  bool continues_piece = false;  // it begins within a piece that the part before it began
};

// Returns the parts by place in the copy; one, where the passage counts as a whole, or not at all.
// Each has the least score at least, when the score of the passage is shared out by matched bytes.
std::vector<CutPassage> CutAtPlaces(std::string_view copy, std::string_view original,
                                    const CopiedPassage& passage,
                                    std::span<const ExcludedPlace> places, double least_score);

}  // namespace zhiwen

#endif  // ZHIWEN_MATCH_PASSAGES_CUT_PASSAGE_H_
