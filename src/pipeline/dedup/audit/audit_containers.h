#ifndef ZHIWEN_PIPELINE_DEDUP_AUDIT_AUDIT_CONTAINERS_H_
#define ZHIWEN_PIPELINE_DEDUP_AUDIT_AUDIT_CONTAINERS_H_

// In which kept documents a few drawn ones may lie (mode contained): all kept texts are read once
// more, and every one of their shingles is looked up among those of the drawn ones.
//
// In          drawn documents, ascending
// Out         for each the kept ones of at least as many shingles that share what a container does
// Guarantees  of a drawn document 128 shingles are looked up, its smallest in an order that has
//             nothing to do with that of the search for candidates; of fewer all, and then no
//             container is overlooked. Of m looked up, a container at the threshold t has a number
//             that is hypergeometric with mean m·t at least: it is overlooked with probability at
//             most P(Binomial(m, t) < c) ≤ kAuditMiss (Uhlmann 1966)
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
