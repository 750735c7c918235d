#include "pipeline/dedup/sketch/sketch_pass.h"

#include <fmt/format.h>

#include <utility>

#include "pipeline/dedup/input/block_stream.h"
#include "pipeline/dedup/input/large_blocks.h"
#include "pipeline/dedup/input/ordered_jobs.h"
#include "pipeline/dedup/sketch/sketch_writer.h"
#include "pipeline/dedup/sketch/sketcher.h"

namespace zhiwen {
namespace {

// Handles files that cannot be read to their end: after the blocks before the damage, the file is
// given up or the run ends.
class DamageHandler {
 public:
  DamageHandler(const RunContext& run, const SketchOptions& options)
      : inputs_(run.inputs), environment_(run.environment), options_(options) {}

  Result<bool> Next(BlockStream& stream, SketchJob& job) {
    while (true) {
      auto more = stream.Next(job.block);
      if (more && *more) job.bad_files = std::exchange(bad_files_, {});
      if (more || !IsDamage(more.error(), stream.file())) return more;
      if (!options_.skip_bad_files) {
        error_ = std::move(more).error();
        damaged_file_ = stream.file();
        return false;
      }
      bad_files_.push_back({stream.file(), std::move(more).error().message});
      stream.SkipFile();
    }
  }

  // Tells of files that were given up, when all that was read of them is in `progress`.
  void Warn(const std::vector<BadFile>& bad_files, const SketchProgress& progress) const {
    for (const BadFile& bad : bad_files) {
      environment_.log.Warn(fmt::format("{}; {}, the rest of the file is skipped", bad.message,
                                        RecordsRead(bad.file, progress)));
    }
  }

  Status Finish(SketchProgress& progress) {
    Warn(bad_files_, progress);
    for (BadFile& bad : bad_files_) progress.bad_files.push_back(std::move(bad));
    if (!error_) return {};
    error_->message += fmt::format("; {}; replace the file, or skip bad files",
                                   RecordsRead(damaged_file_, progress));
    error_->advice.push_back(Advice::kSkipBadFiles);
    return tl::unexpected(*std::move(error_));
  }

 private:
  // "12 of its records were read".
  static std::string RecordsRead(uint32_t file, const SketchProgress& progress) {
    const uint64_t records = file == progress.file ? progress.records : 0;
    return fmt::format("{} of its records {} read", records, records == 1 ? "was" : "were");
  }

  // A file that changed is not damaged: nothing that was read of it is worth keeping.
  bool IsDamage(const Error& error, uint32_t file) const {
    return error.code == ErrorCode::kUnreadable && file < inputs_.files.size() &&
           OpenUnchanged(environment_.files, inputs_.files[file]).has_value();
  }

  const DedupInputs& inputs_;
  const DedupEnvironment& environment_;
  const SketchOptions& options_;
  std::vector<BadFile> bad_files_;  // since the last block
  std::optional<Error> error_;
  uint32_t damaged_file_ = 0;
};

// The error of a job. It is told in the order of the input, so that it is always the same one.
Status CheckJob(const RunContext& run, const SketchJob& job, const SketchProgress& progress) {
  const uint64_t before = job.block.file == progress.file ? progress.records : 0;
  if (job.uncut) return FailCut(run, job.block.file, before + *job.uncut + 1, job.status.error());
  if (!job.status || !job.clash) return job.status;
  return FailClash(run, run.reading.fields.added[job.clash->field], job.block.file,
                   fmt::format("record {}", before + job.clash->record + 1));
}

}  // namespace

Status RunSketchPass(const RunContext& run, const SketchOptions& options,
                     const References* references, RunSpools& spools, SketchProgress& progress,
                     const SketchCheckpoint& checkpoint) {
  const DedupEnvironment& environment = run.environment;
  const uint64_t large_bytes = run.reading.large_text_bytes;
  std::vector<Sketcher> sketchers;
  for (size_t worker = 0; worker < environment.executor.concurrency(); ++worker) {
    ZHIWEN_ASSIGN_OR_RETURN(Sketcher sketcher, Sketcher::Create(run, options, references, worker));
    sketchers.push_back(std::move(sketcher));
  }
  BlockOptions blocks = run.reading.blocks;
  if (options.skip_bad_files) blocks.row_group_check = RowGroupCheck::kAllColumns;
  BlockStream stream(environment.files, run.inputs, blocks);
  stream.StartAt(progress.file, progress.offset, progress.records);
  SketchWriter writer(options.bands ? options.bands->bands : 0, spools, progress);
  DamageHandler damage(run, options);
  const JobSteps<SketchJob> steps{
      .produce = [&](SketchJob& job) -> Result<bool> {
        ZHIWEN_RETURN_IF_ERROR(environment.cancellation.Check());
        ZHIWEN_ASSIGN_OR_RETURN(const bool more, damage.Next(stream, job));
        job.bytes_read = stream.bytes_read();
        return more;
      },
      .process = [&](size_t worker, SketchJob& job) -> Status {
        sketchers[worker].Sketch(job);
        return {};
      },
      .commit = [&](SketchJob& job) -> Status {
        ZHIWEN_RETURN_IF_ERROR(CheckJob(run, job, progress));
        if (job.block.file != progress.file) {
          damage.Warn(job.bad_files, progress);
          writer.BeginFile(job);
          ZHIWEN_RETURN_IF_ERROR(checkpoint(progress));
        }
        ZHIWEN_RETURN_IF_ERROR(writer.Append(job));
        ShrinkLarge(job.block.buffer, large_bytes);
        ShrinkLarge(job.samples, large_bytes);
        ShrinkLarge(job.reference_shingles, large_bytes);
        environment.progress.Advance(Stage::kSketch, job.bytes_read, run.inputs.total_bytes);
        return checkpoint(progress);
      },
      .is_alone = [&](const SketchJob& job) { return job.block.held_bytes() >= large_bytes; }};
  ZHIWEN_RETURN_IF_ERROR(
      OrderedJobs<SketchJob>::Run(environment.executor, run.reading.in_flight, steps));
  return damage.Finish(progress);
}

}  // namespace zhiwen
