#ifndef ZHIWEN_PIPELINE_DEDUP_CHECKPOINT_SAVED_SCRATCH_H_
#define ZHIWEN_PIPELINE_DEDUP_CHECKPOINT_SAVED_SCRATCH_H_

// Checks the scratch files of an interrupted run: they may have lost their end, have a flipped bit,
// or be gone. What is damaged is taken out of the checkpoint, and the run makes it anew.
//
// Guarantees  afterwards every file that the checkpoint names is as it was saved. The result of the
//             run stays the same. No file is changed
// Cost        reads every file that the checkpoint names once
// Fails       a file is there and cannot be opened; on cancellation. The checkpoint is then not
//             changed

#include <cstdint>
#include <string>

#include "pipeline/dedup/checkpoint/checkpoint.h"
#include "zhiwen/dedup.h"
#include "zhiwen/result.h"

namespace zhiwen {

// Takes out of `checkpoint` what is damaged in `folder`, and warns of the file. `bands`: of
// RunSpools.
Status DropDamagedScratch(const std::string& folder, uint32_t bands, Checkpoint& checkpoint,
                          const DedupEnvironment& environment);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_CHECKPOINT_SAVED_SCRATCH_H_
