#ifndef ZHIWEN_PIPELINE_DEDUP_FORECAST_FORECAST_H_
#define ZHIWEN_PIPELINE_DEDUP_FORECAST_FORECAST_H_

// The forecast behind ForecastDedup, with what tests change: samples of some kilobytes.

#include "pipeline/dedup/input/input_sample.h"
#include "pipeline/dedup/run.h"
#include "zhiwen/dedup_forecast.h"

namespace zhiwen {

struct ForecastTuning {
  // Not given: as the memory allows.
  std::optional<SampleOptions> sample = {};
  size_t block_bytes = BlockOptions().block_bytes;
};

Result<DedupForecast> RunForecast(const DedupOptions& options, const ForecastTuning& tuning,
                                  const DedupEnvironment& environment);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_FORECAST_FORECAST_H_
