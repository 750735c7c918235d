#ifndef ZHIWEN_MATCH_PASSAGES_PASSAGE_PARTS_H_
#define ZHIWEN_MATCH_PASSAGES_PASSAGE_PARTS_H_

// A passage as one of its texts is read: what is the same in both, and each edit.
//
// Threads     free functions

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "zhiwen/passages.h"

namespace zhiwen {

struct PassagePart {
  ByteSpan bytes;
  std::optional<size_t> edit = {};  // its index; none: it is the same in both texts
};

// The bytes of a piece or an edit in one of the texts.
template <typename InBoth>
ByteSpan BytesIn(PassageSide side, const InBoth& both) {
  return side == PassageSide::kA ? both.a_bytes : both.b_bytes;
}

// Returns the parts of a piece of a passage, ascending, which together are its bytes from `begin`
// on. An edit that the text has nothing of is a part without bytes.
std::vector<PassagePart> PartsOfPiece(const CopiedPassage& passage, const PassagePiece& piece,
                                      PassageSide side, ByteOffset begin);

// Returns those of them, from the beginning of the piece on, that both texts say: what is the same,
// and what is disguised.
std::vector<PassagePart> MatchedParts(const CopiedPassage& passage, const PassagePiece& piece,
                                      PassageSide side);

// Counts the symbols of a text that some piece has, and no edit of it. `symbols` are their bytes.
uint64_t CountMatchedSymbols(PassageSide side, std::span<const CopiedPassage> passages,
                             std::span<const ByteSpan> symbols);

// Returns what was done by the edits of a passage.
PassageKind KindOfEdits(std::span<const PassageEdit> edits);

// Bytes of a text that belong to a passage.
struct MarkedPart {
  PassagePart part;
  size_t passage = 0;
  bool begins_passage = false;
};

// Returns the parts of all passages in one of the texts, ascending. None overlap: of passages that
// do, the first has what both have.
std::vector<MarkedPart> MarkParts(PassageSide side, std::span<const CopiedPassage> passages);

}  // namespace zhiwen

#endif  // ZHIWEN_MATCH_PASSAGES_PASSAGE_PARTS_H_
