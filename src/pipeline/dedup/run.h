#ifndef ZHIWEN_PIPELINE_DEDUP_RUN_H_
#define ZHIWEN_PIPELINE_DEDUP_RUN_H_

// The run behind Dedup, with hooks. Tests make every stage work outside of memory, and files have
// many blocks, on corpora of some kilobytes, and make decisions wrong so that an audit finds them.
// A forecast runs on a sample of the inputs and looks at the decisions.

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>

#include "base/scratch/scratch.h"
#include "pipeline/dedup/decide/removals.h"
#include "pipeline/dedup/input/input_sample.h"
#include "pipeline/dedup/plan.h"
#include "zhiwen/dedup.h"

namespace zhiwen {

struct RunData;

struct RunTuning {
  // Not given: as options.memory_bytes and the number of documents say.
  std::optional<MemoryPlan> memory = {};
  size_t block_bytes = BlockOptions().block_bytes;
  std::function<void(Plan&)> change_plan = {};
  // Called with what was decided, before anything is checked.
  std::function<Status(Removals&, Scratch&)> change_removals = {};
  // The run reads this of its inputs and no more.
  std::shared_ptr<InputSample> sample = nullptr;
  // Set to what the references need of ReferenceMemory, also where that is too much.
  uint64_t* reference_bytes = nullptr;
  // Called with what was found, before anything is written.
  std::function<Status(const RunData&)> look = {};
};

Result<DedupReport> RunDedup(const DedupOptions& options, const RunTuning& tuning,
                             const DedupEnvironment& environment);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_RUN_H_
