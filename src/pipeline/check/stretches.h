#ifndef ZHIWEN_PIPELINE_CHECK_STRETCHES_H_
#define ZHIWEN_PIPELINE_CHECK_STRETCHES_H_

// Where two texts agree, for reading side by side. Passages that follow one another closely in both
// texts are one stretch: it is shown with what differs between its passages, and with some text
// around it.
//
// In          two UTF-8 texts and the passages that they share, of one piece each (PiecesOf)
// Out         stretches by place in the suspect; each passage is in one
// Guarantees  the parts of a stretch, put together, are its bytes in both texts, but for the
//             middle of long passages. What is around it has no byte of another passage
// Cost        of a shown stretch: linear in its bytes; some kilobytes are kept
// Threads     free functions

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "zhiwen/channel.h"
#include "zhiwen/check.h"
#include "zhiwen/dedup_findings.h"
#include "zhiwen/result.h"

namespace zhiwen {

// Returns the pieces of passages as passages of their own, by place in the suspect: within each of
// them both texts are in one order. None overlap there.
std::vector<CopiedPassage> PiecesOf(std::span<const CopiedPassage> passages,
                                    std::string_view suspect, std::string_view original);

// Passages [first, end) of a match.
struct StretchRange {
  size_t first = 0, end = 0;
  uint64_t matched = 0;  // symbols of these

  friend bool operator==(const StretchRange&, const StretchRange&) = default;
};

std::vector<StretchRange> GroupPassages(std::span<const CopiedPassage> passages);

struct StretchSide {
  Span<CodePointOffset> place;
  std::string_view before, after;  // text around it
  bool begins_text = false, ends_text = false;
};

// A passage, or what is between two of them.
struct StretchPart {
  std::optional<size_t> passage;  // its index
  ShownText suspect, original;
};

struct Stretch {
  StretchSide suspect, original;
  std::vector<StretchPart> parts;
};

// Returns what is shown of a stretch; its views are of the texts. Fails: kUnreadable for a text
// that is not valid UTF-8.
Result<Stretch> ShowStretch(const Channel& channel, std::string_view suspect,
                            std::string_view original, std::span<const CopiedPassage> passages,
                            const StretchRange& range);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_CHECK_STRETCHES_H_
