#ifndef ZHIWEN_PIPELINE_DEDUP_PLAN_H_
#define ZHIWEN_PIPELINE_DEDUP_PLAN_H_

// Checks the options of a run and turns them into what each room reads. Beside this, only the
// renderers of the report (report, pipeline/run_report) see DedupOptions, and the forecast, which
// makes other options of it for its sample runs.

#include <cstdint>

#include "index/joins/containment_pairs.h"
#include "pipeline/dedup/checkpoint/checkpointer.h"
#include "pipeline/dedup/decide/batches.h"
#include "pipeline/dedup/input/inputs.h"
#include "pipeline/dedup/input/run_context.h"
#include "pipeline/dedup/rows/removal_rules.h"
#include "pipeline/dedup/sketch/sketch_pass.h"
#include "pipeline/dedup/write/checks.h"
#include "pipeline/output_folder.h"
#include "zhiwen/dedup.h"
#include "zhiwen/result.h"

namespace zhiwen {

inline constexpr uint64_t kSetsInBatch = 4;

struct Plan {
  InputOptions input;
  OutputUse output_use = OutputUse::kNew;
  ReadingOptions reading;
  RemovalRules rules;
  SketchOptions sketch;
  ContainmentJoinOptions containment;
  // A shingle set above this part of a batch is mapped (BatchPlan::large); 0: none is.
  uint64_t sets_in_batch = kSetsInBatch;
  uint64_t max_bucket_kept = 0;  // as in DedupOptions
  CheckOptions checks;
  uint64_t audit_size = 0;  // removals and kept documents that are checked, so many of each
  CheckpointOptions checkpoint;
  uint64_t memory_bytes = 0;  // of the run
};

// How a run spends its memory once it knows how many documents it has.
struct MemoryPlan {
  uint64_t scratch = 0;  // rows that stay in memory
  uint64_t work = 0;     // of one stage: sorting, tables, a batch of shingle sets
};

// Limits records to so many bytes.
void SetRecordLimit(uint64_t max_record_bytes, ReadingOptions& reading);

// Memory for the rows of the first pass, of a run with `memory_bytes`.
uint64_t SketchMemory(uint64_t memory_bytes);

// Memory for an index of references during the first pass.
uint64_t ReferenceMemory(uint64_t memory_bytes);

// A row group of Parquet larger than this part of the memory ends the run.
inline constexpr uint64_t kRowGroupsInMemory = 2;

// The smallest --memory with which so many documents can be run, against references whose index
// takes so many bytes.
uint64_t LeastMemory(uint64_t documents, uint64_t reference_bytes = 0);

// Divides the memory after the first pass. Fails: kExhausted, naming what the documents need.
Result<MemoryPlan> PlanMemory(uint64_t memory_bytes, uint64_t documents);

// How many shingles are decided at once in so many bytes of work.
BatchLimits PlanBatchLimits(const Plan& plan, uint64_t work_bytes);

// Checks and plans. Fails: kInvalidArgument, saying which value is wrong and what it may be.
Result<Plan> MakePlan(const DedupOptions& options);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_PLAN_H_
