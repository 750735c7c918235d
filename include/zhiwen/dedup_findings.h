#ifndef ZHIWEN_DEDUP_FINDINGS_H_
#define ZHIWEN_DEDUP_FINDINGS_H_

// What a run found, for people to look at: distributions, examples, who copies whom. The counts of
// a run are in DedupReport (zhiwen/dedup.h), which carries these.
//
// Guarantees  the same for the same input and options, whatever the threads and the time; examples
//             are drawn by hash
// Cost        bounded: some hundred kilobytes, however large the corpus
// Not for     lists of all removals: removed.jsonl.zst

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace zhiwen {

// Documents whose text has between `begin` and `end` − 1 code points.
struct SizeBin {
  uint64_t begin = 0, end = 0;
  uint64_t kept = 0, removed = 0;  // documents
};

// Removals whose similarity lies in [begin, end).
struct SimilarityBin {
  double begin = 0, end = 0;
  uint64_t removed = 0;  // documents
};

// The resemblance of removed documents with their keepers; in mode contained, the containment.
struct SimilarityHistogram {
  std::string measure = "resemblance";  // or "containment"
  std::vector<SimilarityBin> bins;      // ascending, below 1
  uint64_t equal = 0;                   // removals at exactly 1
};

// One stretch of a shown text, as the other text of the pair has it.
struct TextPart {
  enum class Kind : uint8_t {
    kShared,    // the other text has the same bytes
    kFolded,    // the other text has the same symbols in another spelling: 覺 for 觉, Ａ for A
    kOnlyHere,  // the other text lacks it
    kOmitted,   // left out here: `text` is empty, the other text has it
    kCut,       // left out here, not compared: the rest of a long text
  };
  Kind kind = Kind::kShared;
  std::string text;
  uint64_t code_points = 0;

  friend bool operator==(const TextPart&, const TextPart&) = default;
};

using ShownText = std::vector<TextPart>;

// Says what decided against a reference, if that is not one of the similarities.
struct SharedWithReference {
  uint64_t run = 0;  // consecutive symbols of both, where a run of them decided
  // The share of its shingles that the input has, of those that count; given where common ones do
  // not.
  std::optional<double> containment_of_counted = std::nullopt;
};

// A removed document beside its keeper.
struct ShownRemoval {
  std::string id, kept_id;          // labels, as in removed.jsonl.zst
  std::string source, kept_source;  // "file:record"
  std::string reason;               // as in removed.jsonl.zst
  double resemblance = 1, containment = 1, containment_of_kept = 1;
  uint64_t code_points = 0, kept_code_points = 0;  // of the whole texts
  ShownText text = {}, kept_text = {};
  SharedWithReference with_reference = {};
};

// A kept document and some of those removed for it.
struct ShownCluster {
  std::string kept_id, kept_source;
  uint64_t documents = 0;  // the kept one included
  std::vector<ShownRemoval> removals;
};

// Some of the removals of one reason.
struct ShownReason {
  std::string reason;
  std::vector<ShownRemoval> lowest;  // of the lowest similarity: nearest to the threshold
  std::vector<ShownRemoval> drawn;   // by hash, from all of them
};

// Who copies whom. The sources with the most removals, as a copy or as a keeper, have rows and
// columns of their own; all others share the last one.
struct SourceMatrix {
  uint64_t sources = 0;            // of the run
  std::vector<std::string> names;  // input files as given, those with a row of their own
  bool has_others = false;         // one more row and column than names
  // removed[row][column]: documents of source `row` removed for one of source `column`.
  std::vector<std::vector<uint64_t>> removed;
};

struct ShownFailure {
  std::string reason, source, message;  // source: "file:record"
  uint64_t offset = 0, length = 0;      // bytes in the file, decompressed; Parquet has none: 0
  std::string raw;                      // its first bytes, as they are
};

// A share with its exact interval at 95 % (Clopper and Pearson 1934; Buonaccorsi 1987).
struct ShareInterval {
  double share = 0, low = 0, high = 1;
};

// What the run found when it checked a sample of itself by the slow path.
struct DedupAudit {
  uint64_t removals_checked = 0, removals_wrong = 0;  // removed documents, verified from source
  uint64_t kept_checked = 0, kept_with_a_match = 0;   // kept documents, against all kept
  // Of kept_with_a_match: those that match a reference.
  uint64_t kept_with_a_reference = 0;
  // Of kept_checked: without a match among those looked at, which were not all that look like it.
  uint64_t kept_in_part = 0;
  // Too long for the slow path: of the removals that were drawn, and of all kept documents.
  uint64_t removals_too_long = 0, kept_too_long = 0;
  ShareInterval residual = {};  // of kept documents with a kept match
  ShareInterval recall = {};    // of documents to be removed that were

  // Whether all of so many kept documents were looked at, so that there is nothing to infer.
  bool is_of_all(uint64_t kept) const { return kept_checked == kept && kept_in_part == 0; }
  // Whether an interval says something where no match was found: too few checked leave 10 % open.
  bool tells_residual() const { return kept_with_a_match > 0 || residual.high < 0.1; }
  bool tells_recall() const { return kept_with_a_match > 0 || recall.low >= 0.9; }
};

struct DedupFindings {
  std::vector<SizeBin> sizes;  // ascending, without gaps, the first {0, 1}: texts that are empty
  SimilarityHistogram similarities;
  std::vector<ShownCluster> clusters;  // the largest, descending
  std::vector<ShownReason> reasons;    // sorted by name
  SourceMatrix sources;
  std::vector<ShownFailure> failures;  // some of each reason, sorted by reason
  std::vector<std::string> warnings;   // as they were logged, the first hundred
};

}  // namespace zhiwen

#endif  // ZHIWEN_DEDUP_FINDINGS_H_
