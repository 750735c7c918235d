#ifndef ZHIWEN_PIPELINE_DEDUP_DECIDE_DECIDE_SIMILAR_H_
#define ZHIWEN_PIPELINE_DEDUP_DECIDE_DECIDE_SIMILAR_H_

// Applies the greedy rule of modes near and contained, a batch at a time. Documents of different
// components never match. The batches of one component are in rank order: each is decided among
// itself, then its kept documents remove what they match in later batches. A document of a later
// batch that is still there matches no kept document of an earlier batch. So the decisions are
// those of the sequential rule, however the documents are cut into batches.
//
// Guarantees  the same decisions and counts for any cut and any number of threads
// Cost        each batch is read once, of a component of n batches up to n times
// Memory      two batches, with what their candidates take; 8 bytes a document

#include <memory>
#include <vector>

#include "base/scratch/spool.h"
#include "pipeline/dedup/decide/batches.h"
#include "pipeline/dedup/decide/set_pass.h"
#include "pipeline/dedup/decide/stage_checkpoint.h"
#include "zhiwen/dedup.h"
#include "zhiwen/result.h"

namespace zhiwen {

// A removed document and what it shares with its keeper; sizes of shingle sets, 0 for texts that
// are equal on the exact channel, which meet here where their dates differ.
struct OverlapRow {
  DocumentIndex document = 0;
  DocumentIndex keeper = 0;
  uint64_t size = 0, keeper_size = 0, shared = 0;
};

struct SimilarDecisions {
  std::vector<DocumentIndex> keepers;  // by document; kNoDocument: kept, or not compared
  std::unique_ptr<Spool> overlaps;     // OverlapRow, in no order
  uint64_t candidate_pairs = 0;        // (document, earlier kept), up to its keeper
  uint64_t comparisons = 0;            // of two sets: of these, and of some ahead of their turn
  uint64_t hot_buckets = 0;
};

// A place among the batches.
struct DecideMark {
  uint64_t batches = 0;  // those before it are decided, and have removed what they match
  uint64_t candidate_pairs = 0, comparisons = 0, hot_buckets = 0;
  SpoolMark overlaps;
};

// `candidates`: BucketMember, in mode contained CandidatePair; none: every pair is looked at.
// `max_bucket_kept`: as in DedupOptions. Fails: as scratch does, and on cancellation.
Result<SimilarDecisions> DecideSimilar(const RunContext& run, const BatchPlan& plan,
                                       const SetSpools& sets, const Spool* candidates,
                                       uint64_t max_bucket_kept,
                                       const StageCheckpoint<DecideMark>& checkpoint);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_DECIDE_DECIDE_SIMILAR_H_
