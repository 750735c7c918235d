#include "pipeline/dedup/checkpoint/saved_scratch.h"

#include <fmt/format.h>

#include <utility>

#include "base/scratch/scratch_damage.h"

namespace zhiwen {
namespace {

// How many bytes pass between two signs of progress.
constexpr uint64_t kStride = uint64_t{64} << 20;

uint64_t BytesOf(const SketchMark& mark) {
  uint64_t bytes = 0;
  for (const SpoolMark& spool : mark.spools) bytes += spool.file_bytes;
  return bytes;
}

uint64_t BytesOf(const Checkpoint& checkpoint) {
  uint64_t bytes = BytesOf(checkpoint.sketch);
  if (const auto& sets = checkpoint.sets) {
    bytes += sets->sets.file_bytes + sets->large.bytes + sets->exact.file_bytes;
  }
  if (checkpoint.decided) bytes += checkpoint.decided->overlaps.file_bytes;
  return bytes;
}

class ScratchReader {
 public:
  ScratchReader(const std::string& folder, uint64_t total, const DedupEnvironment& environment)
      : folder_(folder), total_(total), environment_(environment) {}

  // The first damage of these files; nothing: there is none.
  Result<ScratchDamage> LookAt(const SketchMark& mark, uint32_t bands) {
    const std::vector<std::string> names = RunSpools::FileNames(bands);
    for (size_t i = 0; i < mark.spools.size() && i < names.size(); ++i) {
      ZHIWEN_ASSIGN_OR_RETURN(ScratchDamage damage, LookAt(names[i], mark.spools[i]));
      if (damage) return damage;
    }
    return ScratchDamage();
  }

  Result<ScratchDamage> LookAt(const SetMark& mark) {
    ZHIWEN_ASSIGN_OR_RETURN(ScratchDamage damage, LookAt("sets", mark.sets));
    if (damage) return damage;
    ZHIWEN_ASSIGN_OR_RETURN(damage, LookAt("exact", mark.exact));
    if (damage) return damage;
    StreamHash128 hash;
    return FindMappedDamage(environment_.files, PathOf("large_sets"), mark.large, step_, hash);
  }

  Result<ScratchDamage> LookAt(const DecideMark& mark) { return LookAt("overlaps", mark.overlaps); }

 private:
  std::string PathOf(const std::string& name) const { return fmt::format("{}/{}", folder_, name); }

  Result<ScratchDamage> LookAt(const std::string& name, const SpoolMark& mark) {
    return FindSpoolDamage(environment_.files, PathOf(name), mark, step_);
  }

  Status Step(uint64_t bytes) {
    done_ += bytes;
    if (done_ >= shown_ + kStride) {
      shown_ = done_;
      environment_.progress.Advance(Stage::kCheck, done_, std::max(done_, total_));
    }
    return environment_.cancellation.Check();
  }

  const std::string& folder_;
  const uint64_t total_;
  const DedupEnvironment& environment_;
  const ReadStep step_ = [this](uint64_t bytes) { return Step(bytes); };
  uint64_t done_ = 0, shown_ = 0;
};

// The last place of the first pass whose rows are there. Later stages are about these rows.
Status DropDamagedSketch(ScratchReader& reader, uint32_t bands, Checkpoint& checkpoint,
                         LogSink& log) {
  ZHIWEN_ASSIGN_OR_RETURN(const ScratchDamage damage, reader.LookAt(checkpoint.sketch, bands));
  if (!damage) return {};
  checkpoint.sketch = std::move(checkpoint.file_start);
  checkpoint.file_start = {};
  checkpoint.sketched = false;
  checkpoint.sets.reset();
  checkpoint.decided.reset();
  ZHIWEN_ASSIGN_OR_RETURN(const ScratchDamage earlier, reader.LookAt(checkpoint.sketch, bands));
  if (earlier) checkpoint.sketch = {};
  const SketchProgress& place = checkpoint.sketch.progress;
  log.Warn(checkpoint.sketch.spools.empty()
               ? fmt::format("{}; the run starts from the beginning", *damage)
               : fmt::format("{}; the inputs are read again from \"{}\" on", *damage,
                             checkpoint.inputs[place.file].name));
  return {};
}

}  // namespace

Status DropDamagedScratch(const std::string& folder, uint32_t bands, Checkpoint& checkpoint,
                          const DedupEnvironment& environment) {
  Checkpoint next = checkpoint;
  ScratchReader reader(folder, BytesOf(checkpoint), environment);
  ZHIWEN_RETURN_IF_ERROR(DropDamagedSketch(reader, bands, next, environment.log));
  if (next.sets) {
    ZHIWEN_ASSIGN_OR_RETURN(const ScratchDamage damage, reader.LookAt(*next.sets));
    if (damage) {
      environment.log.Warn(fmt::format("{}; the shingle sets are made again", *damage));
      next.sets.reset();
    }
  }
  if (next.decided) {
    ZHIWEN_ASSIGN_OR_RETURN(const ScratchDamage damage, reader.LookAt(*next.decided));
    if (damage) {
      environment.log.Warn(fmt::format("{}; the batches are decided again", *damage));
      next.decided.reset();
    }
  }
  checkpoint = std::move(next);
  return {};
}

}  // namespace zhiwen
