#include "pipeline/dedup/forecast/forecast_sample_run.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include "pipeline/dedup/forecast/forecast_files.h"
#include "pipeline/dedup/stage_clock.h"

namespace zhiwen {
namespace {

// The first pass counts bytes of the files, of which a sample is a part.
class SampleProgress final : public ProgressSink {
 public:
  SampleProgress(ProgressSink& below, const InputSample& sample, uint64_t target)
      : below_(below), sample_(sample), target_(target) {}

  void Advance(std::string_view stage, uint64_t done, uint64_t total,
               std::string_view unit) override {
    if (stage != "sketch") {
      below_.Advance(stage, done, total, unit);
      return;
    }
    const uint64_t bytes = sample_.bytes();
    below_.Advance("sample", bytes, std::max(bytes, target_), "bytes");
  }

 private:
  ProgressSink& below_;
  const InputSample& sample_;
  const uint64_t target_;
};

DedupOptions OptionsOfSample(const DedupOptions& options, const DedupInputs& inputs,
                             const std::vector<uint32_t>& files) {
  DedupOptions own = options;
  own.inputs.clear();
  for (const uint32_t file : files) own.inputs.push_back(inputs.files[file].path);
  own.output = kForecastFolder;
  own.scratch.clear();
  own.overwrite = false;
  own.resume = false;
  own.unique_ids = false;
  own.max_failed = {.count = std::numeric_limits<uint64_t>::max(), .share = 1, .most_share = 1};
  own.checkpoint_every = std::numeric_limits<double>::infinity();
  return own;
}

// What a forecast looks at is no part of a run.
void TakeAway(const StageTime& looked, std::vector<StageTime>& stages) {
  for (StageTime& stage : stages) {
    if (stage.name != "count") continue;
    stage.wall_seconds = std::max(stage.wall_seconds - looked.wall_seconds, 0.0);
    stage.cpu_seconds = std::max(stage.cpu_seconds - looked.cpu_seconds, 0.0);
  }
}

}  // namespace

Result<std::optional<SampleRun>> RunSample(const DedupOptions& options, const DedupInputs& inputs,
                                           const SampleRunOptions& run,
                                           const DedupEnvironment& environment) {
  SampleChoice choice = ChooseSample(inputs.files, run.sample);
  SampleRun out;
  out.has_memory_of_run = !run.memory;
  out.files = std::move(choice.files);
  for (const auto& stretches : choice.stretches) out.places += stretches.size();
  const auto sample =
      std::make_shared<InputSample>(std::move(choice.stretches), environment.clock, run.sample.end);
  RunTuning tuning{.memory = run.memory, .block_bytes = run.block_bytes, .sample = sample};
  const uint64_t blocks = run.sample.stretch_bytes / run.block_bytes;
  const FindOptions find{.unit_bytes = run.sample.stretch_bytes,
                         .unit_blocks = std::max<uint64_t>(blocks, 1),
                         .most_kept_pairs = run.most_kept_pairs};
  StageClock looking(environment.clock);
  tuning.look = [&](const RunData& data) -> Status {
    looking = StageClock(environment.clock);
    out.totals = data.totals;
    out.bad_files = data.bad_files;
    ZHIWEN_ASSIGN_OR_RETURN(out.found, FindInSample(data, find));
    looking.End("look", 0);
    return {};
  };
  ForecastFiles files(environment.files, std::string(kForecastFolder), run.held_bytes);
  SampleProgress progress(environment.progress, *sample,
                          std::min(run.sample.bytes, inputs.total_bytes));
  const DedupEnvironment own{
      files,  environment.executor, environment.clock, progress, NoLog(), environment.cancellation,
      nullptr};
  auto report = RunDedup(OptionsOfSample(options, inputs, out.files), tuning, own);
  if (files.is_full()) return std::optional<SampleRun>();
  if (!report) return Fail(std::move(report));
  out.report = *std::move(report);
  TakeAway(looking.stages().back(), out.report.stages);
  out.taken = sample->taken();
  out.read_seconds = sample->read_seconds();
  return std::optional(std::move(out));
}

}  // namespace zhiwen
