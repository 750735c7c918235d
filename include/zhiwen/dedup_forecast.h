#ifndef ZHIWEN_DEDUP_FORECAST_H_
#define ZHIWEN_DEDUP_FORECAST_H_

// Forecasts what a deduplication will need before it starts: documents, removals, pairs, memory,
// disk and time. The stages of a run work on a sample of its inputs, and their counts are carried
// over to all of them.
//
// In          the options and inputs of the run (zhiwen/dedup.h); the output folder may be missing
// Out         DedupForecast: estimates with their ranges, and the errors that would end the run
// Guarantees  nothing is written: outputs and scratch of the sample stay in memory. Inputs are read
//             in a few places, some hundreds of megabytes at most. A sample that is everything
//             gives the counts of the run. All but the times is the same for the same inputs
// Cost        the time of a run on the sample, and a third more. Memory: at most the bound of the
//             run, except for a row group of Parquet that does not fit in it
// Threads     one caller
// Fails       see ForecastDedup
// Not for     what a sample does not show: copies that crowd in a small part of the inputs, or
//             stand behind the start of a large compressed file; damage there

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "zhiwen/dedup.h"
#include "zhiwen/result.h"

namespace zhiwen {

// An estimate; low and high hold the truth with 95 % where the inputs are as the sample is.
struct ForecastRange {
  double value = 0, low = 0, high = 0;

  // Whether the value is within a quarter of the truth, wherever in the range that is.
  bool IsClose() const { return low >= value * 0.75 && high <= value * 1.25; }
};

struct ForecastStage {
  std::string name;
  double wall_seconds = 0, cpu_seconds = 0;
};

// Why a run would not reach its end, or not as it is given.
struct ForecastProblem {
  ErrorCode code = ErrorCode::kInternal;  // what the run would fail with
  std::string message;
  std::vector<Advice> advice = {};  // as of an Error
};

struct DedupForecast {
  uint64_t files = 0;
  uint64_t input_bytes = 0;

  // What was read for it.
  uint64_t sample_files = 0, sample_places = 0;
  uint64_t sample_bytes = 0;  // of texts
  uint64_t sample_documents = 0;
  double sample_share = 0;               // of the documents
  bool is_whole = false;                 // the sample is everything: the counts are exact
  std::optional<AgainstReport> against;  // of the sample; not given: there were no references, or
                                         // they do not fit in the memory

  ForecastRange documents;
  uint64_t text_bytes = 0;
  double failed_share = 0;  // of the records
  ForecastRange removed;    // documents
  ForecastRange candidate_pairs;
  uint64_t kept_bytes = 0;  // of kept/

  uint64_t memory_bytes = 0;        // the bound
  uint64_t least_memory_bytes = 0;  // that such a run works with

  // All rows that the run keeps between its passes. They stay in memory where they fit and no
  // checkpoint is due; otherwise they may all be on disk.
  uint64_t scratch_bytes = 0, scratch_low_bytes = 0, scratch_high_bytes = 0;
  bool needs_scratch = false;
  std::string scratch_folder;  // empty: nobody said where the output goes
  std::optional<uint64_t> scratch_free_bytes, output_free_bytes;
  uint64_t output_room_bytes = 0;  // that kept/ takes: texts with a second name take none
  bool is_one_disk = false;        // scratch and outputs share what is free

  uint64_t threads = 1;
  double wall_seconds = 0, cpu_seconds = 0;
  std::vector<ForecastStage> stages;

  // Files that are damaged where the sample met them: name, and what is wrong.
  std::vector<std::pair<std::string, std::string>> damaged_files;
  // Sentences on how figures were made, where that limits what they say.
  std::vector<std::string> notes;

  std::vector<ForecastProblem> problems;

  bool succeeds() const { return problems.empty(); }
};

// Reads a sample and forecasts the run. Where the sample is everything and the run succeeds, the
// log gets the warnings that the run would give. Fails as Dedup does where the inputs or options
// are wrong; kInvalidArgument also: standard input, which is there only once, and options.resume.
Result<DedupForecast> ForecastDedup(const DedupOptions& options,
                                    const DedupEnvironment& environment);

// The forecast as one JSON object: {"schema_version", "sample", "documents", …, "memory", "disk",
// "time", "succeeds", "problems"}; a range is {"estimate", "low", "high", "is_close"}.
std::string DedupForecastToJson(const DedupForecast& forecast);

}  // namespace zhiwen

#endif  // ZHIWEN_DEDUP_FORECAST_H_
