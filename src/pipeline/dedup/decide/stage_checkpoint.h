#ifndef ZHIWEN_PIPELINE_DEDUP_DECIDE_STAGE_CHECKPOINT_H_
#define ZHIWEN_PIPELINE_DEDUP_DECIDE_STAGE_CHECKPOINT_H_

// The interface between a stage after the first pass and the checkpoints of its run: where the
// stage goes on, and how it saves a place. The stage does not know where places are kept.

#include <functional>
#include <optional>

#include "zhiwen/result.h"

namespace zhiwen {

enum class StagePoint : uint8_t { kInside, kEnd };

template <typename Mark>
struct StageCheckpoint {
  std::optional<Mark> from = {};  // not given: the beginning
  std::function<bool(StagePoint)> is_due = [](StagePoint) { return false; };
  // Saves `mark`, whose rows are on scratch. When this succeeds the stage keeps its files.
  std::function<Status(const Mark& mark)> save = [](const Mark&) { return Status(); };
};

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_DECIDE_STAGE_CHECKPOINT_H_
