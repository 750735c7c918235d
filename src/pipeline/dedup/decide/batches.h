#ifndef ZHIWEN_PIPELINE_DEDUP_DECIDE_BATCHES_H_
#define ZHIWEN_PIPELINE_DEDUP_DECIDE_BATCHES_H_

// Cuts documents into batches that are decided together, so that the shingle sets of a batch fit in
// memory. A batch holds whole components, as many as fit; a component that does not fit is a series
// of batches in rank order.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "pipeline/dedup/decide/components.h"
#include "pipeline/dedup/rows/run_spools.h"
#include "zhiwen/result.h"

namespace zhiwen {

inline constexpr uint32_t kNoBatch = UINT32_MAX;

struct BatchPlan {
  std::vector<uint32_t> batch_of;  // by document; kNoBatch: it is compared with no other
  // Each a run of batches: most of one batch; the batches of one component in rank order.
  struct Series {
    uint32_t first = 0, count = 0;
  };
  std::vector<Series> series;
  uint64_t documents = 0;  // in batches
  uint64_t shingles = 0;   // of them, with repeats
  // Documents whose shingle sets are mapped (SetSpools::large) instead of held, ascending.
  std::vector<DocumentIndex> large;

  bool IsLarge(DocumentIndex d) const { return std::ranges::binary_search(large, d); }

  uint32_t batches() const {
    return series.empty() ? 0 : series.back().first + series.back().count;
  }
};

struct BatchLimits {
  uint64_t shingles = 0;  // of the documents of a batch
  // A document with more, repeats included, is a large one; of its shingles a batch counts
  // `large_share`: what is in memory of a mapped set is the tables of a join.
  uint64_t large_shingles = UINT64_MAX;
  double large_share = 0;
};

// Takes `components` over; without them every document with shingles that represents itself is of
// one component. A batch holds `limits.shingles`, more only where one document has more; memory: 12
// bytes a document.
Result<BatchPlan> PlanBatches(const RunSpools& spools, std::optional<Components> components,
                              const std::vector<DocumentIndex>& representatives,
                              const std::vector<uint32_t>& ranks, const BatchLimits& limits);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_DECIDE_BATCHES_H_
