#ifndef ZHIWEN_PIPELINE_DEDUP_CHECKPOINT_RESUME_H_
#define ZHIWEN_PIPELINE_DEDUP_CHECKPOINT_RESUME_H_

// Decides whether a run may go on from a checkpoint, and from where.
//
// Guarantees  a run that goes on writes the bytes that it would have written undisturbed: what
//             decides them is the same, and every input that was read to its end is as it was
// Fails       kConflict, naming the first option or input that differs

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "pipeline/dedup/checkpoint/checkpoint.h"
#include "pipeline/dedup/input/inputs.h"
#include "zhiwen/dedup.h"
#include "zhiwen/result.h"

namespace zhiwen {

// Adds the reference files, each with its size and its time; none: nullptr.
Parameters WithReferences(Parameters parameters, const DedupInputs* references);

// Compares the program and what decides the result. `output` is for messages.
Status CheckSameRun(const Checkpoint& checkpoint, const std::string& output, const Parameters& now);

std::vector<CheckpointInput> DescribeInputs(const DedupInputs& inputs);

// The first input that AdoptInputs would refuse as its file is now. `paths`: of the files.
std::optional<std::string> FindChangedInput(FileSystem& files,
                                            const std::vector<std::string>& paths,
                                            const Checkpoint& checkpoint);

// Compares the inputs, and makes `checkpoint` one of `inputs` as they are. A file that was not read
// to its end may have been replaced: `checkpoint` then goes back to its beginning, or before that.
Status AdoptInputs(const DedupInputs& inputs, Checkpoint& checkpoint);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_CHECKPOINT_RESUME_H_
