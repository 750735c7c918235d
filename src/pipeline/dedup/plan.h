#ifndef ZHIWEN_PIPELINE_DEDUP_PLAN_H_
#define ZHIWEN_PIPELINE_DEDUP_PLAN_H_

// The options of a run, checked and turned into what each stage needs.

#include "cluster/keep_policy.h"
#include "pipeline/dedup/decide_near.h"
#include "pipeline/dedup/sketch_pass.h"
#include "zhiwen/dedup.h"
#include "zhiwen/result.h"

namespace zhiwen {

struct Plan {
  KeepPolicy policy;
  SketchPassOptions sketch;
  NearOptions near;
};

// Fails: kInvalidArgument, naming the option and what it may be.
Result<Plan> MakePlan(const DedupOptions& options);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_PLAN_H_
