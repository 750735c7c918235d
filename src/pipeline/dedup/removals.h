#ifndef ZHIWEN_PIPELINE_DEDUP_REMOVALS_H_
#define ZHIWEN_PIPELINE_DEDUP_REMOVALS_H_

// What happens to every document, in the order of input: the decisions about representatives,
// carried over to their copies.
//
// A copy of a kept representative is removed for it; a copy of a removed one gets its keeper, its
// reason and its similarities.

#include <memory>
#include <vector>

#include "match/similarity.h"
#include "pipeline/dedup/decide_near.h"
#include "zhiwen/result.h"

namespace zhiwen {

struct RemovalRow {
  DocumentIndex document = 0;
  DocumentIndex keeper = 0;
  // Of the document (a) with its keeper (b). Equal texts leave it zero: they are all of each other.
  uint64_t size = 0, keeper_size = 0, shared = 0;
  bool equal_channel = false;
  bool equal_exact = false;  // on the exact channel: reason "exact", else "near"
  uint8_t unused[6] = {};

  SetOverlap Overlap() const { return {size, keeper_size, shared}; }
  double Resemblance() const { return equal_channel ? 1 : Overlap().Resemblance(); }
  double Containment() const { return equal_channel ? 1 : Overlap().ContainmentOfA(); }
  double ContainmentOfKept() const { return equal_channel ? 1 : Overlap().ContainmentOfB(); }
};

struct Removals {
  std::vector<DocumentIndex> keepers;  // by document; kNoDocument: it is kept
  std::unique_ptr<Spool> rows;         // RemovalRow, by document

  bool IsRemoved(DocumentIndex d) const { return keepers[d] != kNoDocument; }
};

// `near` and `exact`: none in exact mode. `partitions`: those of SetSpools::exact.
Result<Removals> FinishRemovals(const Collapsed& collapsed, NearDecisions* near,
                                const PartitionedSpool* exact, uint32_t partitions,
                                Scratch& scratch, const DedupEnvironment& environment);

// How many ranges of documents FinishRemovals and the second pass cut a run in, so that the rows of
// one fit in `memory_bytes`.
uint32_t PlanRangePartitions(uint64_t documents, uint64_t memory_bytes);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_REMOVALS_H_
