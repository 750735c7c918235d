#ifndef ZHIWEN_CLUSTER_PARALLEL_GREEDY_H_
#define ZHIWEN_CLUSTER_PARALLEL_GREEDY_H_

// Runs the greedy rule of dedup on all cores. The result equals DecideGreedily for any number of
// threads.
//
// Documents are decided in blocks of rank order. First every document of a block is compared with
// the kept ones of earlier blocks, in parallel; matches found there are final. The other documents
// of the block are compared with likely keepers within the block, in parallel and ahead of time.
// They are then decided in order, and pairs not yet checked are verified. When many pairs are
// unchecked (many kept documents of one template), the sequential stretch ends, and the remaining
// documents are compared in parallel with the documents that the stretch kept.
//
// In          candidates from bands (SharedBuckets) or from the exact join (PrefixJoin)
// Out         for each document its keeper, the first matching kept document by rank, or kKept
// Guarantees  the same decisions and counts for any number of threads; equal to DecideGreedily with
//             all candidates (property test)
// Cost        one check for each candidate pair (document, earlier kept) up to the first match, and
//             a few ahead of time. Memory: 12 bytes a shared key, 4 bytes a document and worker;
//             with hot buckets what PrefixJoin takes for their documents
// Threads     one caller; `matches` is called by all workers at once, progress by the caller alone

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "cluster/greedy.h"
#include "cluster/kept_candidates.h"
#include "index/bands/shared_buckets.h"
#include "index/joins/prefix_join.h"
#include "zhiwen/executor.h"

namespace zhiwen {

// Verifies that `document` matches the earlier document `kept`; worker < executor.concurrency().
using MatchCheck = std::function<bool(size_t worker, uint32_t document, uint32_t kept)>;

// Called between parallel steps with the number of documents decided so far and in total. The
// decision stops when it returns false. With bands, `total` counts only documents that share a
// bucket.
using DecisionProgress = std::function<bool(uint64_t decided, uint64_t total)>;

struct GreedyDecision {
  std::vector<uint32_t> keepers;  // by document: its keeper, or kKept
  // Set when the progress callback stopped the decision: a document without a keeper may then be
  // undecided.
  bool stopped = false;
  // The (document, earlier kept) pairs up to the keeper, which the sequential rule looks at.
  uint64_t candidate_pairs = 0;
  uint64_t verified_pairs = 0;  // calls of the check
  uint64_t hot_buckets = 0;     // buckets whose pairs came from the exact join
};

struct HotBucketOptions {
  // A bucket with more kept documents than this is hot: its pairs are not enumerated but come from
  // an exact join over the documents of such buckets. Smaller buckets become hot too once
  // enumeration has cost more than the join would. No pair is left unverified. With UINT64_MAX no
  // bucket is ever hot.
  uint64_t max_bucket_kept = UINT64_MAX;
  // Parameters of that join: the threshold of `matches`, and the shingle set of a document
  // (ascending and distinct; called by all workers; valid during DecideByBands). Without `shingles`
  // no bucket is hot.
  double threshold = 0.8;
  std::function<std::span<const uint64_t>(uint32_t document)> shingles;
};

// In all three functions the first `kept` documents are known to be kept. When `kept` is not 0, the
// others are compared with these only, and not among each other.

// Takes the earlier kept documents of a document's buckets as its candidates. `documents` is the
// total number; documents outside `buckets` are kept.
GreedyDecision DecideByBands(const SharedBuckets& buckets, uint32_t documents, uint32_t kept,
                             const HotBucketOptions& hot, const MatchCheck& matches,
                             Executor& executor, const DecisionProgress& progress = {});

// Takes candidates from `join`, whose id i is document i. Nothing may be inserted in it yet.
GreedyDecision DecideByJoin(PrefixJoin join, uint32_t kept, const MatchCheck& matches,
                            Executor& executor, const DecisionProgress& progress = {});

// Applies the rule to documents 0 … documents − 1 with any source of candidates.
GreedyDecision DecideInBlocks(uint32_t documents, uint32_t kept, KeptCandidates& candidates,
                              const MatchCheck& matches, Executor& executor,
                              const DecisionProgress& progress = {});

}  // namespace zhiwen

#endif  // ZHIWEN_CLUSTER_PARALLEL_GREEDY_H_
