#ifndef ZHIWEN_PIPELINE_DEDUP_DECIDE_NEAR_H_
#define ZHIWEN_PIPELINE_DEDUP_DECIDE_NEAR_H_

// From bands and texts to decisions: which documents may match, their shingle sets (second pass),
// the greedy rule.

#include <optional>
#include <span>

#include "index/band_plan.h"
#include "pipeline/dedup/decisions.h"
#include "pipeline/dedup/document_table.h"
#include "pipeline/dedup/inputs.h"
#include "pipeline/dedup/second_pass.h"
#include "pipeline/dedup/stage_clock.h"
#include "zhiwen/dedup.h"
#include "zhiwen/result.h"

namespace zhiwen {

struct NearOptions {
  RecordFields fields;
  Channel channel = Channel::kFolded;
  double threshold = 0.8;
  std::optional<BandPlan> bands;  // none: exact candidates
  uint64_t max_bucket_kept = 2000;
};

// Decides every document: a representative by the greedy rule, a copy as its representative
// implies. Frees the band keys of `table`, which nobody needs afterwards. Fails: what the second
// pass meets, and on cancellation.
Result<Decisions> DecideNear(const DedupInputs& inputs, const NearOptions& options,
                             std::span<const DocumentIndex> representatives, DocumentTable& table,
                             StageClock& stages, const DedupEnvironment& environment);

// Gives every copy the decision that follows from that of its representative.
void DecideCopies(const DocumentTable& table, std::span<const DocumentIndex> representatives,
                  const ExactHashes& exact, Decisions& decisions);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_DECIDE_NEAR_H_
