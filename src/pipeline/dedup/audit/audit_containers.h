#ifndef ZHIWEN_PIPELINE_DEDUP_AUDIT_AUDIT_CONTAINERS_H_
#define ZHIWEN_PIPELINE_DEDUP_AUDIT_AUDIT_CONTAINERS_H_

// Finds the kept documents in which a few drawn ones may lie (mode contained). All kept texts are
// read once more, and every shingle of theirs is looked up among those of the drawn documents.
//
// In          drawn documents, ascending
// Out         for each the kept documents that have at least as many shingles and share as many
//             keys as a container does
// Guarantees  128 shingles of a drawn document are looked up, the smallest in an order that is
//             independent of the search for candidates; of a document with fewer, all, and then no
//             container is overlooked. A container at the threshold t has a number of m looked-up
//             shingles that is hypergeometric with mean m·t at least: it is overlooked with
//             probability at most P(Binomial(m, t) < c) ≤ kAuditMiss (Uhlmann 1966)
// Cost        the drawn documents are read once, then all inputs once more, sequentially, with the
//             shingles of what was kept; once for each part of the sample whose table fits in
//             memory: at threshold 0.8 some 1600 documents in 8M
// Threads     one caller; blocks are worked on by all workers
// Fails       kUnreadable, and on cancellation

#include <cstdint>
#include <span>
#include <vector>

#include "pipeline/dedup/audit/audit_sample.h"
#include "pipeline/dedup/decide/run_data.h"
#include "zhiwen/result.h"

namespace zhiwen {

// How many shingles of a document are looked up, and how many a container has of so many.
struct ContainerKeyPlan {
  uint32_t keys = 0;
  uint32_t required = 0;  // of `keys`, where the document has more
};
ContainerKeyPlan PlanContainerKeys(double threshold);

Result<std::vector<SampleCandidates>> FindContainers(const RunData& run,
                                                     std::span<const DocumentIndex> sample);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_AUDIT_AUDIT_CONTAINERS_H_
