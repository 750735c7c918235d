#ifndef ZHIWEN_PIPELINE_DEDUP_CHECKPOINT_RESUME_H_
#define ZHIWEN_PIPELINE_DEDUP_CHECKPOINT_RESUME_H_

// Whether a run may go on from a checkpoint, and from where.
//
// Guarantees  a run that goes on writes the bytes it would have written undisturbed: what decides
//             them is the same, and every input that was read to its end is as it was
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

// What decides the result, as options: name and value, empty where it is not given. Left out are
// limits of the machine (memory, threads) and of patience (failed records, bad files).
// `references`: the files of --against.
std::vector<std::pair<std::string, std::string>> DecidingParameters(const DedupOptions& options,
                                                                    const DedupInputs& references);

// Compares the program and what decides the result.
Status CheckSameRun(const Checkpoint& checkpoint, const DedupOptions& options,
                    const DedupInputs& references);

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
