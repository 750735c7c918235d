#ifndef ZHIWEN_PIPELINE_DEDUP_FORECAST_FORECAST_SAMPLE_RUN_H_
#define ZHIWEN_PIPELINE_DEDUP_FORECAST_FORECAST_SAMPLE_RUN_H_

// Runs of all stages over samples of the inputs, within the memory of the run that is forecast.
// They leave nothing behind. A sample whose rows do not fit is made smaller; a file that turns out
// damaged is left where the damage begins, and named. References that do not fit are left out.
//
// In          the inputs of a run, and how many of their bytes to read
// Out         SampleRun: its report, with the time of each stage; what it found; what it read
// Guarantees  as forecast_files.h. Anonymous memory: the bound of the run (a row group of Parquet
//             that does not fit in it is read nevertheless)
// Cost        a smaller sample costs another run
// Threads     one caller
// Fails       as Dedup does, except for failed records and repeated ids; kExhausted: no sample fits

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pipeline/dedup/forecast/forecast_findings.h"
#include "pipeline/dedup/input/input_sample.h"
#include "pipeline/dedup/run.h"
#include "zhiwen/dedup.h"

namespace zhiwen {

struct SampleRun {
  std::vector<uint32_t> files;     // of the inputs, by file of the run
  std::vector<SampledFile> taken;  // by file of the run
  uint64_t places = 0;
  double read_seconds = 0;
  std::vector<BadFile> bad_files;  // files of the run that are damaged
  SketchTotals totals;
  SampleFindings found;
  DedupReport report;
};

// Where outputs of a sample would be; nothing is made there.
inline constexpr std::string_view kForecastFolder = "/dev/null/zhiwen-forecast";

class Sampler {
 public:
  // `row_group_bytes`: of the largest one, in memory. The rest outlives it.
  Sampler(const DedupOptions& options, uint64_t row_group_bytes, const DedupInputs& inputs,
          size_t block_bytes, const DedupEnvironment& environment)
      : options_(options),
        row_room_(SketchMemory(options.memory_bytes)),
        user_skips_(options.skip_bad_files),
        inputs_(inputs),
        block_bytes_(block_bytes),
        environment_(environment) {
    options_.memory_bytes = std::max(options.memory_bytes, 2 * row_group_bytes);
  }

  // Runs over everything, as the run itself would. Nothing where that does not fit.
  Result<std::optional<SampleRun>> RunWhole(const SampleOptions& sample);

  // Runs over a part; makes `sample` smaller until it fits.
  Result<SampleRun> RunPart(SampleOptions& sample);

  // How much may be read, when the rows of a sample of `read` bytes are those of `run`.
  uint64_t MostBytes(uint64_t read, const SampleRun& run) const;

  // By input: what is wrong with it.
  const std::map<uint32_t, std::string>& damaged() const { return damaged_; }
  void AddDamaged(uint32_t input, std::string message) {
    damaged_.emplace(input, std::move(message));
  }
  // What the references need of ReferenceMemory; a run has none where that is too much.
  uint64_t reference_bytes() const { return reference_bytes_; }

 private:
  struct Limits {
    std::optional<MemoryPlan> memory;  // not given: as a run of its own would have it
    uint64_t held_bytes = 0;           // of what does not stay in that memory
    size_t block_bytes = 0;
  };
  Result<std::optional<SampleRun>> RunSound(const SampleOptions& sample, const Limits& limits);
  Result<std::optional<SampleRun>> RunOnce(const SampleOptions& sample, const Limits& limits);
  void TakeDamage(SampleRun& run);

  DedupOptions options_;  // what once ended a sample, damage or references, does not end the next
  uint64_t reference_bytes_ = 0;
  const uint64_t row_room_;
  const bool user_skips_;
  const DedupInputs& inputs_;
  const size_t block_bytes_;
  const DedupEnvironment& environment_;
  std::map<uint32_t, std::string> damaged_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_FORECAST_FORECAST_SAMPLE_RUN_H_
