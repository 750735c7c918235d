#include "pipeline/dedup/forecast/forecast_sample_run.h"

#include <fmt/format.h>

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

  void Advance(Stage stage, uint64_t done, uint64_t total) override {
    if (stage != Stage::kSketch) {
      below_.Advance(stage, done, total);
      return;
    }
    const uint64_t bytes = sample_.bytes();
    below_.Advance(Stage::kSample, bytes, std::max(bytes, target_));
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

constexpr uint64_t kLeastWork = uint64_t{1} << 20;
// What a run leaves of the fixed part of its memory: for what it writes to scratch all the same.
constexpr uint64_t kHeldBeside = uint64_t{16} << 20;
// Arrays of a run and of FindInSample.
constexpr uint64_t kBytesPerDocument = 24 + kFinderBytes;
// A smaller sample is chosen so that so much of the room stays free.
constexpr double kRoomUsed = 0.7;

}  // namespace

Result<std::optional<SampleRun>> Sampler::RunWhole(const SampleOptions& sample) {
  SampleOptions whole = sample;
  whole.end = PlaceEnd::kBlock;  // as those of the run
  return RunSound(whole, {.memory = {}, .held_bytes = kHeldBeside, .block_bytes = block_bytes_});
}

// Stages work in that part of the memory which the sample is of the corpus, so that as much of it
// does not fit. Half of the rows may be in memory, the other half in the files that stand for
// scratch.
Result<SampleRun> Sampler::RunPart(SampleOptions& sample) {
  const auto stream = static_cast<double>(UsualStreamBytes(inputs_.files) + 1);
  const size_t block = sample.end == PlaceEnd::kRecord ? 2 * sample.stretch_bytes : block_bytes_;
  while (true) {
    const double share = std::min(static_cast<double>(sample.bytes) / stream, 1.0);
    const auto work = static_cast<uint64_t>(share * static_cast<double>(options_.memory_bytes) / 2);
    const MemoryPlan memory{
        .scratch = row_room_ / 2,
        .work = std::clamp(work, kLeastWork, std::max(row_room_ / 2, kLeastWork))};
    ZHIWEN_ASSIGN_OR_RETURN(auto found, RunSound(sample, {.memory = memory,
                                                          .held_bytes = kHeldBeside + row_room_ / 2,
                                                          .block_bytes = block}));
    if (found) return *std::move(found);
    if (sample.bytes < 2 * block) {
      return Fail(ErrorCode::kExhausted,
                  fmt::format("no sample has rows that fit in {} MiB of memory; give more",
                              options_.memory_bytes >> 20),
                  {Advice::kGiveMemory});
    }
    sample.bytes /= 2;
  }
}

Result<std::optional<SampleRun>> Sampler::RunSound(const SampleOptions& sample,
                                                   const Limits& limits) {
  auto found = RunOnce(sample, limits);
  if (!found && reference_bytes_ > ReferenceMemory(options_.memory_bytes)) {
    options_.against.clear();
    found = RunOnce(sample, limits);
  }
  if (!found && found.error().code == ErrorCode::kUnreadable && !options_.skip_bad_files) {
    options_.skip_bad_files = true;
    found = RunOnce(sample, limits);
  }
  if (found && *found) TakeDamage(**found);
  return found;
}

// Where the run skips what is damaged too, it has read all that it will.
void Sampler::TakeDamage(SampleRun& run) {
  for (const BadFile& bad : run.bad_files) {
    damaged_.emplace(run.files[bad.file], bad.message);
    if (user_skips_) run.taken[bad.file].is_whole = true;
  }
}

uint64_t Sampler::MostBytes(uint64_t read, const SampleRun& run) const {
  const auto room = static_cast<double>(row_room_);
  const auto documents = static_cast<double>(run.found.documents * kBytesPerDocument);
  const auto rows =
      static_cast<double>(run.found.row_bytes + sizeof(uint64_t) * run.found.comparable_shingles);
  const double growth = std::min(room / std::max(rows, 1.0), room / 2 / std::max(documents, 1.0));
  return static_cast<uint64_t>(std::min(growth * kRoomUsed * static_cast<double>(read), 9e18));
}

Result<std::optional<SampleRun>> Sampler::RunOnce(const SampleOptions& sample,
                                                  const Limits& limits) {
  SampleChoice choice = ChooseSample(inputs_.files, sample);
  SampleRun out;
  out.files = std::move(choice.files);
  for (const auto& stretches : choice.stretches) out.places += stretches.size();
  const auto input =
      std::make_shared<InputSample>(std::move(choice.stretches), environment_.clock, sample.end);
  RunTuning tuning{.memory = limits.memory,
                   .block_bytes = limits.block_bytes,
                   .sample = input,
                   .reference_bytes = &reference_bytes_};
  const uint64_t blocks = sample.stretch_bytes / limits.block_bytes;
  const FindOptions find{.unit_bytes = sample.stretch_bytes,
                         .unit_blocks = std::max<uint64_t>(blocks, 1)};
  StageClock looking(environment_.clock);
  tuning.look = [&](const RunData& data) -> Status {
    looking = StageClock(environment_.clock);
    out.totals = data.totals;
    out.bad_files = data.bad_files;
    ZHIWEN_ASSIGN_OR_RETURN(out.found, FindInSample(data, find));
    looking.End("look", 0);
    return {};
  };
  ForecastFiles files(environment_.files, std::string(kForecastFolder), limits.held_bytes);
  SampleProgress progress(environment_.progress, *input,
                          std::min(sample.bytes, inputs_.total_bytes));
  const DedupEnvironment own{files,
                             environment_.executor,
                             environment_.clock,
                             progress,
                             NoLog(),
                             environment_.cancellation,
                             nullptr};
  auto report = RunDedup(OptionsOfSample(options_, inputs_, out.files), tuning, own);
  if (files.is_full()) return std::optional<SampleRun>();
  if (!report) return Fail(std::move(report));
  out.report = *std::move(report);
  TakeAway(looking.stages().back(), out.report.stages);
  out.taken = input->taken();
  out.read_seconds = input->read_seconds();
  return std::optional(std::move(out));
}

}  // namespace zhiwen
