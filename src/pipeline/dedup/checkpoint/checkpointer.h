#ifndef ZHIWEN_PIPELINE_DEDUP_CHECKPOINT_CHECKPOINTER_H_
#define ZHIWEN_PIPELINE_DEDUP_CHECKPOINT_CHECKPOINTER_H_

// Makes the checkpoints of a run, and goes on from one.
//
// The first checkpoint is made when the run is as old as its interval, or when it fails; until then
// spools need not touch the disk. From then on their files stay when the process ends. Ranks,
// groups of equal texts and components are not saved: they are made anew from the rows of the first
// pass.
//
// Threads     one at a time

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "base/scratch/scratch.h"
#include "pipeline/dedup/checkpoint/checkpoint.h"
#include "pipeline/dedup/checkpoint/resume.h"
#include "pipeline/dedup/input/inputs.h"
#include "pipeline/dedup/rows/run_spools.h"
#include "pipeline/output_folder.h"
#include "zhiwen/dedup.h"
#include "zhiwen/result.h"

namespace zhiwen {

struct CheckpointOptions {
  std::string scratch;  // a folder; empty: inside the output folder
  bool resume = false;  // goes on from the checkpoint that is there
  double every_seconds = 60;
  bool reads_standard_input = false;
  Parameters parameters;  // what decides the result
};

class Checkpointer {
 public:
  // Takes up the checkpoint in `folder`, if there is one that is whole, or makes room for a new
  // run. Everything outlives it but `references`: none, or the reference files. Fails: kConflict
  // when the interrupted run is another one, or cannot be begun again, which it leaves as it is,
  // and as the file system does.
  static Result<Checkpointer> Open(const CheckpointOptions& options, const DedupInputs* references,
                                   OutputFolder& folder, const DedupEnvironment& environment);

  bool continues() const { return continues_; }
  uint64_t resumes() const { return now_.resumes; }
  const std::string& scratch_folder() const { return scratch_folder_; }
  // The most bytes of a record: as the run was begun, whatever the memory is now.
  uint64_t RecordLimit(uint64_t limit) {
    if (!continues_) now_.max_record_bytes = limit;
    return now_.max_record_bytes;
  }

  // Compares `inputs` with those of the interrupted run, or takes them down; then opens the spools
  // as they were at the place to go on from, which is now().sketch: the last one whose scratch is
  // whole.
  Result<RunSpools> OpenSpools(const DedupInputs& inputs, Scratch& scratch, uint32_t bands);
  const Checkpoint& now() const { return now_; }

  // Called by RunSketchPass at each place: saves it when that is due.
  Status AtSketch(const SketchProgress& progress, RunSpools& spools);
  // At the end of that pass: saves it when the run has a checkpoint.
  Status EndSketch(const SketchProgress& progress, RunSpools& spools);
  // When that pass, or a later stage, ended with `error`: saves the pass as far as it is.
  void SaveFailed(const SketchProgress& progress, RunSpools& spools, const Error& error);

  // For the later stages of a run with this MemoryPlan::work. Forgets places of another one.
  Status BeginStages(uint64_t work_memory);
  // At the end of a stage: saves it when the run has a checkpoint.
  bool IsDue(StagePoint point) const;
  // With the end of the first pass, if that is not saved yet.
  Status SaveStage(const SketchProgress& progress, RunSpools& spools, const SetMark& mark);
  Status SaveStage(const SketchProgress& progress, RunSpools& spools, const DecideMark& mark);

  // For a run that cannot succeed as it was begun.
  void Drop();
  // Says in the message how to go on, and tidies up.
  Error EndWith(Error error);
  // Whether there is a checkpoint to go on from.
  bool exists() const { return exists_; }
  // After the run was published.
  void Finish();

 private:
  Checkpointer(const CheckpointOptions& options, const OutputFolder& folder,
               const DedupEnvironment& environment);
  Result<std::optional<Checkpoint>> ReadLeft() const;
  Status SaveSketch(const SketchProgress& progress, RunSpools& spools);
  Status Write(Checkpoint next);
  Status EnsureSketched(const SketchProgress& progress, RunSpools& spools);
  Status TidyScratch(uint32_t bands);
  void RemoveOwnScratch();

  const CheckpointOptions* options_;
  const DedupEnvironment* environment_;
  std::string path_;
  std::string scratch_folder_;
  std::vector<std::string> paths_;     // of the inputs
  bool makes_scratch_parent_ = false;  // the folder that was given for scratch was not there
  std::chrono::nanoseconds begun_, last_;
  bool continues_ = false;
  bool exists_ = false;
  bool sketch_ended_ = false;
  Checkpoint now_;  // the one on disk, when exists_
};

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_CHECKPOINT_CHECKPOINTER_H_
