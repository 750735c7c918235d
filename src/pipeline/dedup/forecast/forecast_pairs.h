#ifndef ZHIWEN_PIPELINE_DEDUP_FORECAST_FORECAST_PAIRS_H_
#define ZHIWEN_PIPELINE_DEDUP_FORECAST_FORECAST_PAIRS_H_

// How many documents of a corpus are compared, and removed, and by how many pairs: from what a
// sample holds (forecast_growth.h).
//
// Guarantees  a sample that is everything gives what its run counted
// Threads     free functions

#include "pipeline/dedup/forecast/forecast_sample_run.h"
#include "zhiwen/dedup_forecast.h"

namespace zhiwen {

struct PairOptions {
  DedupMode mode = DedupMode::kNear;
  double share = 1;      // of the documents that the sample is
  double documents = 0;  // of all
  bool is_whole = false;
};

struct ExpectedPairs {
  ForecastRange removed, candidate_pairs, compared;
  double representatives_removed = 0;  // for another text
};

ExpectedPairs ExpectPairs(const SampleRun& sample, const PairOptions& options);

// Documents of the sample that it compared.
double ComparedInSample(const SampleFindings& found, DedupMode mode);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_FORECAST_FORECAST_PAIRS_H_
