#ifndef ZHIWEN_PIPELINE_DEDUP_FORECAST_FORECAST_SAMPLE_RUN_H_
#define ZHIWEN_PIPELINE_DEDUP_FORECAST_FORECAST_SAMPLE_RUN_H_

// A run of all stages over a sample of the inputs, that leaves nothing behind.
//
// In          the inputs of a run, which of their bytes to read, and the memory of its stages
// Out         its report, with the time of each stage; what it found; what it read
// Guarantees  as forecast_files.h. Memory: what the stages may take, what is held of scratch, and
//             for each document the arrays of a run and kFinderBytes
// Fails       as Dedup does; not for failed records or repeated ids

#include <cstdint>
#include <optional>
#include <string_view>
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
  bool has_memory_of_run = false;
  SketchTotals totals;
  SampleFindings found;
  DedupReport report;
};

struct SampleRunOptions {
  SampleOptions sample;
  std::optional<MemoryPlan> memory = {};  // not given: as a run of its own would have it
  uint64_t held_bytes = UINT64_MAX;       // of what does not stay in that memory
  size_t most_kept_pairs = FindOptions().most_kept_pairs;
  size_t block_bytes = BlockOptions().block_bytes;
};

// Where outputs of a sample would be; nothing is made there.
inline constexpr std::string_view kForecastFolder = "/dev/null/zhiwen-forecast";

// Nothing where more than run.held_bytes would have to be held: the sample is too large.
Result<std::optional<SampleRun>> RunSample(const DedupOptions& options, const DedupInputs& inputs,
                                           const SampleRunOptions& run,
                                           const DedupEnvironment& environment);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_FORECAST_FORECAST_SAMPLE_RUN_H_
