#ifndef ZHIWEN_PIPELINE_DEDUP_FORECAST_FORECAST_SAMPLER_H_
#define ZHIWEN_PIPELINE_DEDUP_FORECAST_FORECAST_SAMPLER_H_

// Runs over samples, each within the memory of the run that is planned: what stages may take, what
// they would put on disk and what is found in it. A sample that does not fit is made smaller.
// Files that turn out damaged are left where the damage begins, and named.
//
// In          options of the run, its inputs; how much of them is to be read
// Guarantees  anonymous memory: options.memory_bytes (a row group of Parquet that does not fit in
//             it is read nevertheless)
// Cost        a smaller sample costs another run
// Threads     one caller
// Fails       as RunSample; kExhausted: no sample fits

#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include "pipeline/dedup/forecast/forecast_sample_run.h"

namespace zhiwen {

// Where the rows of the run will be, and so where those of its sample are to be.
enum class RowPlace : uint8_t { kMemory, kDisk };

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

  // Everything, as the run itself would do it. Nothing where that does not fit.
  Result<std::optional<SampleRun>> RunWhole(const SampleOptions& sample);

  // A part: the memory of its stages is as much smaller. Makes `sample` smaller until it fits.
  Result<SampleRun> RunPart(SampleOptions& sample, RowPlace place);

  // How much may be read, when the rows of a sample of `read` bytes are those of `found`.
  uint64_t MostBytes(uint64_t read, const SampleFindings& found) const;

  // By input: what is wrong with it.
  const std::map<uint32_t, std::string>& damaged() const { return damaged_; }
  void AddDamaged(uint32_t input, std::string message) {
    damaged_.emplace(input, std::move(message));
  }

 private:
  Result<std::optional<SampleRun>> RunSound(const SampleRunOptions& run);
  void TakeDamage(SampleRun& run);

  DedupOptions options_;  // but that damage, once met, does not end a sample
  const uint64_t row_room_;
  const bool user_skips_;
  const DedupInputs& inputs_;
  const size_t block_bytes_;
  const DedupEnvironment& environment_;
  std::map<uint32_t, std::string> damaged_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_FORECAST_FORECAST_SAMPLER_H_
