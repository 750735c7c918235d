#include "pipeline/dedup/forecast/forecast_sampler.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace zhiwen {
namespace {

constexpr uint64_t kLeastWork = uint64_t{1} << 20;
// What a run leaves of the fixed part of its memory, where nearly all rows fit in the other part.
constexpr uint64_t kHeldBeside = uint64_t{16} << 20;
// Of the memory beside the fixed part: half for rows, in memory or held; a quarter for the work of
// a stage, or for pairs of kept documents; a quarter for what is by document.
constexpr uint64_t kBytesPerDocument = 24 + kFinderBytes;
constexpr uint64_t kBytesPerPair = 16;
// A smaller sample is chosen so that so much of the room stays free.
constexpr double kRoomUsed = 0.7;

}  // namespace

Result<std::optional<SampleRun>> Sampler::RunWhole(const SampleOptions& sample) {
  SampleRunOptions run;
  run.sample = sample;
  run.sample.end = PlaceEnd::kBlock;  // as those of the run
  run.held_bytes = kHeldBeside;
  run.block_bytes = block_bytes_;
  run.most_kept_pairs = std::min<uint64_t>(run.most_kept_pairs, row_room_ / 2 / kBytesPerPair);
  return RunSound(run);
}

Result<SampleRun> Sampler::RunPart(SampleOptions& sample, RowPlace place) {
  const auto stream = static_cast<double>(UsualStreamBytes(inputs_.files) + 1);
  SampleRunOptions run;
  run.block_bytes = sample.end == PlaceEnd::kRecord ? 2 * sample.stretch_bytes : block_bytes_;
  run.most_kept_pairs = std::min<uint64_t>(run.most_kept_pairs, row_room_ / 2 / kBytesPerPair);
  run.held_bytes = place == RowPlace::kDisk ? row_room_ : kHeldBeside;
  while (true) {
    const double share = std::min(static_cast<double>(sample.bytes) / stream, 1.0);
    const auto work = static_cast<uint64_t>(share * static_cast<double>(options_.memory_bytes) / 2);
    run.sample = sample;
    run.memory =
        MemoryPlan{.scratch = place == RowPlace::kDisk ? 0 : row_room_,
                   .work = std::clamp(work, kLeastWork, std::max(row_room_ / 2, kLeastWork))};
    ZHIWEN_ASSIGN_OR_RETURN(auto found, RunSound(run));
    if (found) return *std::move(found);
    if (sample.bytes < 2 * run.block_bytes) {
      return Fail(ErrorCode::kExhausted,
                  fmt::format("no sample was found whose rows fit in {} MiB of memory; give more",
                              options_.memory_bytes >> 20),
                  {Advice::kGiveMemory});
    }
    sample.bytes /= 2;
  }
}

Result<std::optional<SampleRun>> Sampler::RunSound(const SampleRunOptions& run) {
  auto found = RunSample(options_, inputs_, run, environment_);
  if (!found && found.error().code == ErrorCode::kUnreadable && !options_.skip_bad_files) {
    options_.skip_bad_files = true;
    found = RunSample(options_, inputs_, run, environment_);
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

uint64_t Sampler::MostBytes(uint64_t read, const SampleFindings& found) const {
  const auto room = static_cast<double>(row_room_);
  double rows = static_cast<double>(found.band_bytes);
  for (const auto& [name, bytes] : found.rows) rows += static_cast<double>(bytes);
  rows += 8 * static_cast<double>(found.has_buckets ? found.touching_shingles
                                                    : found.comparable_shingles);
  const double documents =
      static_cast<double>(found.documents) * static_cast<double>(kBytesPerDocument);
  const double growth = std::min(room / std::max(rows, 1.0), room / 2 / std::max(documents, 1.0));
  return static_cast<uint64_t>(std::min(growth * kRoomUsed * static_cast<double>(read), 9e18));
}

}  // namespace zhiwen
