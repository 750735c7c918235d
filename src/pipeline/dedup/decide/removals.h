#ifndef ZHIWEN_PIPELINE_DEDUP_DECIDE_REMOVALS_H_
#define ZHIWEN_PIPELINE_DEDUP_DECIDE_REMOVALS_H_

// Carries the decisions about representatives over to their copies, which decides every document.
// A copy of a kept representative is removed for it; a copy of a removed representative gets the
// same keeper, reason and similarities. A copy by its key gets the keeper alone. Where no member of
// a cluster is kept (RemovalRules::keeps_none), the one that others were removed for is removed
// last.

#include <memory>
#include <vector>

#include "pipeline/dedup/decide/decide_similar.h"
#include "pipeline/dedup/rows/removal_row.h"
#include "zhiwen/result.h"

namespace zhiwen {

struct Removals {
  // By document; kNoDocument: it is kept; kReferenceKeeper: its keeper is a reference; itself: it
  // represents a cluster of which nothing is kept.
  std::vector<DocumentIndex> keepers;
  std::unique_ptr<Spool> rows;  // RemovalRow, by document
  // By document: it lost a passage and is kept; none: nothing was to be cut.
  std::vector<bool> cut = {};

  // The keeper of a row, which is kept if anything of its cluster is: that of a document removed
  // for its key is the keeper of the first with that key, where this one is removed, too.
  uint32_t KeeperOf(const RemovalRow& row) const {
    return row.by_key ? keepers[row.document] : row.keeper;
  }

  bool IsRemoved(DocumentIndex d) const { return keepers[d] != kNoDocument; }
  // Whether it is kept and was compared with other documents, not with references alone.
  bool IsKeptWhole(DocumentIndex d) const { return !IsRemoved(d) && (cut.empty() || !cut[d]); }
  // Whether others are removed for it, if any are.
  bool CanKeep(DocumentIndex d) const { return keepers[d] == kNoDocument || keepers[d] == d; }
  // The kept document of its cluster, or the one that represents it; one that was removed for a
  // reference is alone.
  DocumentIndex ClusterOf(DocumentIndex d) const {
    return keepers[d] < kReferenceKeeper ? keepers[d] : d;
  }
};

// `near` and `exact`: none in exact mode. `partitions`: those of SetSpools::exact.
Result<Removals> FinishRemovals(const RunContext& run, const Collapsed& collapsed,
                                SimilarDecisions* near, const PartitionedSpool* exact,
                                uint32_t partitions);

// How many ranges of documents FinishRemovals and the second pass cut a run in, so that the rows of
// one fit in `memory_bytes`.
uint32_t PlanRangePartitions(uint64_t documents, uint64_t memory_bytes);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_DECIDE_REMOVALS_H_
