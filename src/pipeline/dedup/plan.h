#ifndef ZHIWEN_PIPELINE_DEDUP_PLAN_H_
#define ZHIWEN_PIPELINE_DEDUP_PLAN_H_

// The options of a run, checked and turned into what each stage needs.

#include "cluster/keep_policy.h"
#include "index/joins/containment_pairs.h"
#include "pipeline/dedup/decide/decide_similar.h"
#include "pipeline/dedup/sketch/sketch_pass.h"
#include "zhiwen/dedup.h"
#include "zhiwen/result.h"

namespace zhiwen {

inline constexpr uint64_t kSetsInBatch = 4;

struct Plan {
  KeepPolicy policy;
  SketchPassOptions sketch;
  NearOptions near;
  ContainmentJoinOptions containment;
  // A shingle set above this part of a batch is mapped (BatchPlan::large); 0: none is.
  uint64_t sets_in_batch = kSetsInBatch;
};

// How a run spends its memory once it knows how many documents it has.
struct MemoryPlan {
  uint64_t scratch = 0;  // rows that stay in memory
  uint64_t work = 0;     // of one stage: sorting, tables, a batch of shingle sets
};

// A record larger than this part of the memory is a failed one.
inline constexpr uint64_t kRecordsInMemory = 8;
// Nor may an id be larger than this part of a record that is read, or the values of a JSON record
// take more than this many times as much in memory.
inline constexpr uint64_t kIdsInRecord = 4;
inline constexpr uint64_t kValuesInRecord = 2;
// Whatever the memory: lengths and numbers of shingles have 32 bits.
inline constexpr uint64_t kLargestRecord = (uint64_t{1} << 32) - (uint64_t{1} << 20);

// Records of up to so many bytes are read.
void SetRecordLimit(uint64_t max_record_bytes, SketchPassOptions& options);

// Before the documents are counted: what their rows may take.
uint64_t SketchMemory(const DedupOptions& options);

// Of an index of references, while the inputs are sketched.
uint64_t ReferenceMemory(const DedupOptions& options);

// The smallest bound that so many documents work with.
uint64_t LeastMemory(uint64_t documents);

// Fails: kExhausted, naming what so many documents need.
Result<MemoryPlan> PlanMemory(const DedupOptions& options, uint64_t documents);

// Fails: kInvalidArgument, naming the option and what it may be.
Result<Plan> MakePlan(const DedupOptions& options);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_PLAN_H_
