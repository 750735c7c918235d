#include "pipeline/dedup/checkpoint/checkpointer.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/hash.h"
#include "pipeline/dedup/checkpoint/saved_scratch.h"
#include "pipeline/output_place.h"
#include "zhiwen/version.h"

namespace zhiwen {
namespace {

// In the folder that somebody gave for scratch: of one output folder, whose lock guards it.
std::string OwnScratch(const std::string& scratch, const std::string& output) {
  if (scratch.empty()) return "";
  return fmt::format("{}/zhiwen-{:016x}", ResolvedPath(scratch).string(),
                     HashBytes64(ResolvedPath(output).string()));
}

// Whether the run can succeed when it is continued.
bool IsForContinuing(const Error& error) {
  switch (error.code) {
    case ErrorCode::kUnreadable:
    case ErrorCode::kExhausted:
    case ErrorCode::kUnavailable:
    case ErrorCode::kInterrupted:
    case ErrorCode::kTerminated:
      return true;
    default:
      return false;
  }
}

}  // namespace

Checkpointer::Checkpointer(const CheckpointOptions& options, const OutputFolder& folder,
                           const DedupEnvironment& environment)
    : options_(&options),
      environment_(&environment),
      path_(folder.checkpoint_path()),
      begun_(environment.clock.Monotonic()),
      last_(begun_) {}

Result<Checkpointer> Checkpointer::Open(const CheckpointOptions& options,
                                        const DedupInputs* references, OutputFolder& folder,
                                        const DedupEnvironment& environment) {
  Checkpointer opened(options, folder, environment);
  const std::string own_scratch = OwnScratch(options.scratch, folder.path());
  const Parameters parameters = WithReferences(options.parameters, references);
  std::optional<Checkpoint> left;
  if (options.resume && folder.has_checkpoint()) {
    ZHIWEN_ASSIGN_OR_RETURN(left, opened.ReadLeft());
  }
  if (left) {
    opened.now_ = *std::move(left);
    ZHIWEN_RETURN_IF_ERROR(CheckSameRun(opened.now_, folder.path(), parameters));
    if (!own_scratch.empty() && own_scratch != opened.now_.scratch) {
      return Fail(
          ErrorCode::kConflict,
          fmt::format("the run in \"{}\" keeps its scratch in {}; continue it without "
                      "naming another folder for scratch, or start it again",
                      folder.path(),
                      opened.now_.scratch.empty() ? "the output folder"
                                                  : fmt::format("\"{}\"", opened.now_.scratch)),
          {Advice::kStartOver});
    }
    opened.continues_ = opened.exists_ = true;
    ZHIWEN_RETURN_IF_ERROR(folder.ClearOutputs());
  } else {
    if (options.resume && !folder.has_checkpoint()) {
      environment.log.Warn(fmt::format(
          "\"{}\" holds no interrupted run; this one starts from the beginning", folder.path()));
    }
    // Removes what a run that is replaced left elsewhere; its checkpoint may be of any version.
    if (folder.has_checkpoint()) {
      if (const auto old = ReadCheckpoint(environment.files, opened.path_); old) {
        opened.now_.scratch = old->scratch;
        opened.RemoveOwnScratch();
      }
    }
    ZHIWEN_RETURN_IF_ERROR(folder.Clear());
    opened.now_ = {.program = std::string(Version()),
                   .parameters = parameters,
                   .inputs = {},
                   .scratch = own_scratch,
                   .sketch = {},
                   .file_start = {},
                   .sets = {},
                   .decided = {}};
    opened.RemoveOwnScratch();
    if (!own_scratch.empty()) {
      ZHIWEN_ASSIGN_OR_RETURN(const bool exists, environment.files.Exists(options.scratch));
      opened.makes_scratch_parent_ = !exists;
    }
  }
  opened.scratch_folder_ =
      opened.now_.scratch.empty() ? folder.path() + "/.partial/scratch" : opened.now_.scratch;
  return opened;
}

// The checkpoint of the interrupted run; nothing when it is damaged, and the run starts again.
Result<std::optional<Checkpoint>> Checkpointer::ReadLeft() const {
  ZHIWEN_ASSIGN_OR_RETURN(const std::string bytes, ReadCheckpointBytes(environment_->files, path_));
  auto read = DecodeCheckpoint(path_, bytes);
  if (read) return std::optional(*std::move(read));
  if (read.error().code != ErrorCode::kUnreadable) return Fail(std::move(read));
  if (options_->reads_standard_input) {
    return Fail(ErrorCode::kConflict,
                read.error().message +
                    ", so that the run cannot be continued; start it again, and give standard "
                    "input again",
                {Advice::kStartOver});
  }
  environment_->log.Warn(read.error().message + "; the run starts from the beginning");
  return std::optional<Checkpoint>();
}

Result<RunSpools> Checkpointer::OpenSpools(const DedupInputs& inputs, Scratch& scratch,
                                           uint32_t bands) {
  for (const InputFile& file : inputs.files) paths_.push_back(file.path);
  if (!continues_) {
    now_.inputs = DescribeInputs(inputs);
    now_.standard_input = inputs.standard_input_checksum;
    return RunSpools::Create(scratch, bands);
  }
  Checkpoint next = now_;
  ZHIWEN_RETURN_IF_ERROR(AdoptInputs(inputs, next));
  ZHIWEN_RETURN_IF_ERROR(DropDamagedScratch(scratch_folder_, bands, next, *environment_));
  ++next.resumes;
  // Before a spool is cut: it must not be shorter than the checkpoint says.
  ZHIWEN_RETURN_IF_ERROR(Write(std::move(next)));
  ZHIWEN_RETURN_IF_ERROR(TidyScratch(bands));
  ZHIWEN_ASSIGN_OR_RETURN(RunSpools spools, RunSpools::Reopen(scratch, bands, now_.sketch.spools));
  spools.Keep();
  sketch_ended_ = now_.sketched;
  return spools;
}

// Files of later stages that were not at a place to go on from.
Status Checkpointer::TidyScratch(uint32_t bands) {
  std::vector<std::string> keep = RunSpools::FileNames(bands);
  keep.emplace_back(kStandardInputCopy);
  if (now_.sets) keep.insert(keep.end(), {"sets", "large_sets", "exact"});
  if (now_.decided) keep.emplace_back("overlaps");
  ZHIWEN_ASSIGN_OR_RETURN(const std::vector<DirectoryEntry> entries,
                          environment_->files.List(scratch_folder_));
  for (const DirectoryEntry& entry : entries) {
    if (std::ranges::find(keep, entry.name) != keep.end()) continue;
    ZHIWEN_RETURN_IF_ERROR(
        environment_->files.RemoveAll(fmt::format("{}/{}", scratch_folder_, entry.name)));
  }
  return {};
}

bool Checkpointer::IsDue(StagePoint point) const {
  if (point == StagePoint::kEnd && exists_) return true;
  const std::chrono::duration<double> passed = environment_->clock.Monotonic() - last_;
  return passed.count() >= options_->every_seconds;
}

Status Checkpointer::AtSketch(const SketchProgress& progress, RunSpools& spools) {
  // After a place in the middle of a file comes one at the beginning of a file, so that there is
  // one to go back to (Checkpoint::file_start).
  const bool is_start = progress.offset == 0 && exists_ && now_.sketch.progress.offset > 0;
  const bool is_due = is_start || IsDue(StagePoint::kInside);
  return is_due ? SaveSketch(progress, spools) : Status();
}

Status Checkpointer::EndSketch(const SketchProgress& progress, RunSpools& spools) {
  sketch_ended_ = true;
  return IsDue(StagePoint::kEnd) ? SaveSketch(progress, spools) : Status();
}

void Checkpointer::SaveFailed(const SketchProgress& progress, RunSpools& spools,
                              const Error& error) {
  if (now_.sketched || !progress.whole || progress.totals.records == 0) return;
  // The first error is the one to be told; an older checkpoint stays as it is.
  if (IsForContinuing(error)) (void)SaveSketch(progress, spools);
}

Status Checkpointer::SaveSketch(const SketchProgress& progress, RunSpools& spools) {
  Checkpoint next = now_;
  ZHIWEN_ASSIGN_OR_RETURN(std::vector<SpoolMark> marks, spools.Save());
  if (next.sketch.progress.offset == 0) next.file_start = std::move(next.sketch);
  next.sketch = {progress, std::move(marks)};
  next.sketched = sketch_ended_;
  ZHIWEN_RETURN_IF_ERROR(Write(std::move(next)));
  spools.Keep();
  return {};
}

Status Checkpointer::EnsureSketched(const SketchProgress& progress, RunSpools& spools) {
  return now_.sketched ? Status() : SaveSketch(progress, spools);
}

Status Checkpointer::BeginStages(uint64_t work_memory) {
  const bool is_same = now_.work_memory == work_memory;
  now_.work_memory = work_memory;
  if (is_same || (!now_.sets && !now_.decided)) return {};
  // Before their files are written anew.
  Checkpoint next = now_;
  next.sets.reset();
  next.decided.reset();
  return Write(std::move(next));
}

Status Checkpointer::SaveStage(const SketchProgress& progress, RunSpools& spools,
                               const SetMark& mark) {
  ZHIWEN_RETURN_IF_ERROR(EnsureSketched(progress, spools));
  Checkpoint next = now_;
  next.sets = mark;
  return Write(std::move(next));
}

Status Checkpointer::SaveStage(const SketchProgress& progress, RunSpools& spools,
                               const DecideMark& mark) {
  ZHIWEN_RETURN_IF_ERROR(EnsureSketched(progress, spools));
  Checkpoint next = now_;
  next.decided = mark;
  return Write(std::move(next));
}

Status Checkpointer::Write(Checkpoint next) {
  ZHIWEN_RETURN_IF_ERROR(WriteCheckpoint(environment_->files, path_, next));
  now_ = std::move(next);
  exists_ = true;
  last_ = environment_->clock.Monotonic();
  return {};
}

void Checkpointer::Drop() {
  if (exists_ && environment_->files.RemoveFile(path_)) exists_ = false;
}

Error Checkpointer::EndWith(Error error) {
  const bool is_stopped =
      error.code == ErrorCode::kInterrupted || error.code == ErrorCode::kTerminated;
  if (!exists_) RemoveOwnScratch();
  if (!exists_ || !IsForContinuing(error)) {
    if (is_stopped) error.message += "; run the same command again to start over";
    if (!exists_ && error.code == ErrorCode::kExhausted) {
      error.message += "; nothing was saved to resume: start again";
    }
    return error;
  }
  if (error.advises(Advice::kStartOver)) return error;  // it knew better
  const std::optional<std::string> changed =
      error.code == ErrorCode::kUnreadable ? FindChangedInput(environment_->files, paths_, now_)
                                           : std::nullopt;
  if (changed) {
    error.message += fmt::format(
        "; put \"{}\" back as it was and continue the run, or start it again", *changed);
  } else {
    error.message += is_stopped ? "; continue the run, or start it again" : "; continue the run";
  }
  error.advice.push_back(Advice::kResume);
  if (changed || is_stopped) error.advice.push_back(Advice::kStartOver);
  return error;
}

void Checkpointer::Finish() { RemoveOwnScratch(); }

void Checkpointer::RemoveOwnScratch() {
  const std::string& folder = now_.scratch;
  if (folder.empty()) return;
  (void)environment_->files.RemoveAll(folder);
  if (makes_scratch_parent_) (void)environment_->files.RemoveEmptyFolder(options_->scratch);
}

}  // namespace zhiwen
