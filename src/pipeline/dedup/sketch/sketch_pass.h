#ifndef ZHIWEN_PIPELINE_DEDUP_SKETCH_SKETCH_PASS_H_
#define ZHIWEN_PIPELINE_DEDUP_SKETCH_SKETCH_PASS_H_

// The first pass: every record is read once and becomes rows on scratch (document_rows.h), or a
// failed record.

#include <functional>
#include <optional>

#include "cluster/keep_policy.h"
#include "index/bands/band_plan.h"
#include "index/joins/sampled_shingles.h"
#include "pipeline/dedup/input/run_context.h"
#include "pipeline/dedup/rows/document_rows.h"
#include "pipeline/dedup/rows/run_spools.h"
#include "pipeline/dedup/sketch/audit_keys.h"
#include "pipeline/dedup/sketch/references.h"
#include "zhiwen/dedup.h"
#include "zhiwen/result.h"

namespace zhiwen {

// What the first pass computes of a document.
struct SketchOptions {
  KeepPolicy policy;
  std::optional<BandPlan> bands;            // none: no band keys are computed
  std::optional<ShingleSampling> sampling;  // of mode contained
  AuditKeyPlan audit;                       // without keys: none are computed
  bool skip_bad_files = false;              // damaged files are read as far as they are sound
};

// A file that is damaged, and was read as far as it is sound.
struct BadFile {
  uint32_t file = 0;
  std::string message;
};

// How far the pass is: all blocks before this place are rows.
struct SketchProgress {
  uint32_t file = 0;
  uint64_t offset = 0;   // in the stream of `file`
  uint64_t records = 0;  // of `file` before it
  SketchTotals totals;
  std::vector<BadFile> bad_files;  // before it
  // False after a failure while a block was being written: what is on scratch belongs to no place.
  bool whole = true;
};

// Called after each block, and with offset 0 before the first block of another file, when what
// `progress` says is on scratch and no block is being committed.
using SketchCheckpoint = std::function<Status(const SketchProgress& progress)>;

// Continues from `progress` and leaves it at the end. Fails: kUnreadable (a read failed, a file
// changed), kExhausted (more than 2³² − 2 documents), and on cancellation.
// `references`: none, or with their index. `spools` are those of `run`, which the pass fills;
// run.scratch also takes files of large texts while these are read.
Status RunSketchPass(const RunContext& run, const SketchOptions& options,
                     const References* references, RunSpools& spools, SketchProgress& progress,
                     const SketchCheckpoint& checkpoint);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_SKETCH_SKETCH_PASS_H_
