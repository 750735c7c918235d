#ifndef ZHIWEN_PIPELINE_DEDUP_AUDIT_AUDIT_SAMPLE_H_
#define ZHIWEN_PIPELINE_DEDUP_AUDIT_AUDIT_SAMPLE_H_

// Draws the documents that an audit looks at, by a hash of their place in the input: each with the
// same chance and apart from the others, equal texts too. The sample does not depend on threads and
// memory.

#include <cstdint>
#include <span>
#include <vector>

#include "pipeline/dedup/decide/run_data.h"
#include "pipeline/dedup/sketch/audit_keys.h"
#include "zhiwen/result.h"

namespace zhiwen {

// Longer texts are too much for the slow path: an audit speaks of the others.
inline constexpr uint32_t kMostAuditedCodePoints = uint32_t{1} << 18;

// An audit compares a document with at most so many candidates, those that share the most keys.
inline constexpr size_t kMostAuditedPairs = 8;

// An audit checks at least so many removals, where so many are wanted and there.
inline constexpr uint64_t kLeastRemovals = 30;

struct KeptSample {
  std::vector<DocumentIndex> documents;  // ascending
  uint64_t population = 0;   // kept documents with a text, of kMostAuditedCodePoints or fewer
  uint64_t too_long = 0;     // kept documents with a longer one
  uint64_t code_points = 0;  // of all documents, removed ones too
};

// Draws `size` kept documents, or as many as say the same of few (SampleSize).
Result<KeptSample> DrawKept(const RunData& run, uint64_t size);

struct RemovalSample {
  std::vector<RemovalRow> rows;  // by document
  uint64_t too_long = 0;         // drawn, but one of its texts is: not among `rows`
};

// Draws `size` removals, or as many as say the same of few, of documents that name another one; a
// representative of a cluster of which nothing is kept names none. Where they have more than
// `code_points` together, those drawn last are left out, but for kLeastRemovals.
Result<RemovalSample> DrawRemovals(const RunData& run, uint64_t size, uint64_t code_points);

struct SampleCandidates {
  std::vector<DocumentIndex> documents;  // the most alike first
  bool is_cut = false;                   // there were more
};

// The candidates of one document while they are found: kMostAuditedPairs of the greatest likeness.
class BestCandidates {
 public:
  // Numbers ascend: of those that are as like the first ones stay.
  void Offer(uint64_t likeness, uint32_t number);
  SampleCandidates Take();

 private:
  struct Candidate {
    uint64_t likeness;
    uint32_t number;
  };
  std::vector<Candidate> best_;
  bool is_cut_ = false;
};

// For each of `sample` (ascending) the kept documents that share as many keys with it as a match
// does. `keys` are those that the first pass wrote. Reads the keys of all documents once for each
// part of the sample whose tables fit in work_bytes.
Result<std::vector<SampleCandidates>> FindCandidates(const RunData& run,
                                                     std::span<const DocumentIndex> sample,
                                                     const AuditKeyPlan& keys);

// Looks up the dates of `documents` (ascending); kNoDate each where dates do not count.
Result<std::vector<int64_t>> ReadDatesOf(const RunData& run,
                                         std::span<const DocumentIndex> documents);

// Looks up DocumentRow::code_points of `documents` (ascending).
Result<std::vector<uint32_t>> ReadCodePoints(const RunData& run,
                                             std::span<const DocumentIndex> documents);

// Counts those of `references` (ascending), reading all again; no more than UINT32_MAX each.
Result<std::vector<uint32_t>> ReadReferenceCodePoints(const RunData& run,
                                                      std::span<const uint32_t> references);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_AUDIT_AUDIT_SAMPLE_H_
