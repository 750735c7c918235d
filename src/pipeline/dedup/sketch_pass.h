#ifndef ZHIWEN_PIPELINE_DEDUP_SKETCH_PASS_H_
#define ZHIWEN_PIPELINE_DEDUP_SKETCH_PASS_H_

// The first pass: every record is read once and becomes an entry of the document table, or a failed
// record.

#include <optional>

#include "cluster/keep_policy.h"
#include "index/band_plan.h"
#include "pipeline/dedup/document_table.h"
#include "pipeline/dedup/inputs.h"
#include "zhiwen/dedup.h"
#include "zhiwen/result.h"

namespace zhiwen {

struct SketchPassOptions {
  RecordFields fields;
  Channel channel = Channel::kFolded;
  DedupMode mode = DedupMode::kNear;
  std::optional<BandPlan> bands;  // none: no band keys are computed
};

// Fails: kUnreadable (a read failed, a file changed), kExhausted (more than 2³² − 2 documents), and
// on cancellation.
Result<DocumentTable> RunSketchPass(const DedupInputs& inputs, const SketchPassOptions& options,
                                    const KeepPolicy& policy, const DedupEnvironment& environment);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_SKETCH_PASS_H_
