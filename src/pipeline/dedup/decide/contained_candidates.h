#ifndef ZHIWEN_PIPELINE_DEDUP_DECIDE_CONTAINED_CANDIDATES_H_
#define ZHIWEN_PIPELINE_DEDUP_DECIDE_CONTAINED_CANDIDATES_H_

// Finds the documents that may lie in others (mode contained). The samples of the first pass are
// spread by shingle and joined, and pairs are counted by the document that asks
// (index/joins/containment_pairs.h). Documents of no candidate pair are kept.
//
// In          samples on scratch; only representatives take part
// Out         candidate pairs, and the components that they make
// Guarantees  the same pairs for any number of threads and any memory; their order differs
// Cost        samples and pairs are written and read twice; the rows of a shingle that is in too
//             many documents for memory once more (bounded_partitions.h). Memory: 16 bytes a
//             document, and work_bytes; without a cut of hot shingles also 16 bytes for each
//             document of such a shingle
// Threads     one caller; partitions run on the executor

#include <memory>
#include <vector>

#include "base/scratch/spool.h"
#include "index/joins/containment_pairs.h"
#include "pipeline/dedup/decide/components.h"
#include "pipeline/dedup/input/run_context.h"
#include "zhiwen/dedup.h"
#include "zhiwen/result.h"

namespace zhiwen {

struct CandidatePair {
  DocumentIndex contained = 0;
  DocumentIndex container = 0;
};

struct ContainedCandidates {
  Components components;         // `members` is none
  std::unique_ptr<Spool> pairs;  // CandidatePair, each once, in no order
  CandidateCounts counts;
};

Result<ContainedCandidates> FindContainedCandidates(
    const RunContext& run, const std::vector<DocumentIndex>& representatives,
    const std::vector<uint32_t>& ranks, const ContainmentJoinOptions& options);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_DECIDE_CONTAINED_CANDIDATES_H_
