#ifndef ZHIWEN_PIPELINE_DEDUP_DECIDE_STAGE_CHECKPOINT_H_
#define ZHIWEN_PIPELINE_DEDUP_DECIDE_STAGE_CHECKPOINT_H_

// How a stage after the first pass goes on from a place, and saves others, without knowing where
// they are kept.

#include <functional>
#include <optional>

#include "zhiwen/result.h"

namespace zhiwen {

enum class StagePoint : uint8_t { kInside, kEnd };

template <typename Mark>
struct StageCheckpoint {
  std::optional<Mark> from = {};  // not given: the beginning
  std::function<bool(StagePoint)> is_due = [](StagePoint) { return false; };
  // What `mark` says is on scratch; the stage keeps its files when this has succeeded.
  std::function<Status(const Mark& mark)> save = [](const Mark&) { return Status(); };
};

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_DECIDE_STAGE_CHECKPOINT_H_
