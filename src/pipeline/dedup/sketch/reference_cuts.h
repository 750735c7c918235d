#ifndef ZHIWEN_PIPELINE_DEDUP_SKETCH_REFERENCE_CUTS_H_
#define ZHIWEN_PIPELINE_DEDUP_SKETCH_REFERENCE_CUTS_H_

// Finds the passages of a text that are to be cut because they are references
// (docs/dedup-rules.md, "Cutting"). What is left of the text is compared with the references again,
// until it matches none.
//
// Guarantees  what is left matches no reference
// Cost        for each round a comparison with the references, what they share with the text
//             (reference_stretches.h, ReferenceIndex::VisitSharedRuns), and the spans of the lines
//             with a passage's end (zhiwen/channel.h, ComputeSymbols); most texts take two rounds.
//             Memory: the text once more; a large text is otherwise read in pieces, but the spans
//             of one line are in memory at once: ReadingOptions::cut_bytes at most
// Threads     one object a worker
// Fails       as ReferenceMatcher::MatchLarge; kExhausted: a line needs more, naming the need

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "index/references/reference_stretches.h"
#include "pipeline/dedup/input/large_text.h"
#include "pipeline/dedup/input/run_context.h"
#include "pipeline/dedup/input/text_features.h"
#include "pipeline/dedup/input/text_pieces.h"
#include "pipeline/dedup/rows/document_cuts.h"
#include "pipeline/dedup/sketch/references.h"
#include "zhiwen/result.h"

namespace zhiwen {

// Stretches of one passage have at most so many symbols between them.
inline constexpr uint64_t kMostPassageGap = 10;
// Under kContains a passage of fewer symbols (min_reference, if that is less) is cut only where the
// text has no longer one of the reference.
inline constexpr uint64_t kLeastPassage = 13;
inline constexpr int kMostRounds = 100;

// Returns the error of a cut with the record that it speaks of.
Status FailCut(const RunContext& run, uint32_t file, uint64_t record, Error error);

class ReferenceCutter {
 public:
  // All outlive it; the references have their index. `name`: what names of scratch files begin
  // with.
  ReferenceCutter(const RunContext& run, const References& references, std::string name);

  // Finds what `text` loses; nothing if it matches no reference. Returns false, and the cuts are of
  // no use, when no symbol would be left, or what is left matches a reference after kMostRounds:
  // such a document is removed.
  Result<bool> Cut(std::string_view text, int64_t date, DocumentCuts& cuts);

  // Gives memory back.
  void Shrink();

 private:
  // Symbols of the rest that one reference covers, or of the text their bytes.
  struct Passage {
    uint64_t begin = 0, end = 0;
    std::vector<uint32_t> references;
  };

  Result<bool> Match(std::string_view rest, std::optional<LargeText>& large, int64_t date);
  Status FindPassages(std::string_view rest, std::optional<LargeText>& large);
  Status FindRuns(std::optional<LargeText>& large);
  void FindShort(std::string_view rest, const std::vector<uint32_t>& references);
  void FindLong(std::string_view rest, const std::vector<uint32_t>& references);
  void AddPassages(uint32_t reference, std::span<const SymbolRange> passages);
  Status FindBytes(std::string_view rest);
  void TakePassages();
  std::string Rest(std::string_view text) const;

  const RunContext* run_;
  const References* references_;
  std::string name_;
  uint64_t files_ = 0;
  ReferenceMatcher matcher_;
  ReferenceIndex::Scratch scratch_;
  TextFeatures features_;
  TextPieces pieces_;
  std::vector<Passage> found_;  // of the rest
  std::vector<Passage> cuts_;   // of the text; ascending and apart
};

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_SKETCH_REFERENCE_CUTS_H_
