#ifndef ZHIWEN_PIPELINE_DEDUP_FORECAST_FORECAST_PROBLEMS_H_
#define ZHIWEN_PIPELINE_DEDUP_FORECAST_FORECAST_PROBLEMS_H_

// With what a run would end early, as far as a forecast can tell: the status it would end with and
// the sentence it would say, or one that says as much.
//
// Guarantees  in the order in which the run would meet them; nothing is written
// Threads     free function

#include <cstdint>
#include <string>
#include <vector>

#include "pipeline/dedup/input/inputs.h"
#include "zhiwen/dedup_forecast.h"

namespace zhiwen {

struct ProblemFacts {
  const DedupInputs& inputs;
  uint64_t largest_group_bytes = 0;  // of Parquet, in memory
  uint64_t reference_bytes = 0;      // of ReferenceMemory
  const DedupReport& sample;
};

// Fills in forecast.scratch_free_bytes and output_free_bytes, output_room_bytes and is_one_disk.
void MeasureDisks(const DedupOptions& options, const ProblemFacts& facts, FileSystem& files,
                  DedupForecast& forecast);

// Of a forecast that is complete but for them, with its disks measured.
std::vector<ForecastProblem> FindProblems(const DedupOptions& options, const ProblemFacts& facts,
                                          FileSystem& files, const DedupForecast& forecast);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_FORECAST_FORECAST_PROBLEMS_H_
