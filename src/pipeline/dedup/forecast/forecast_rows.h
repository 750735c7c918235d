#ifndef ZHIWEN_PIPELINE_DEDUP_FORECAST_FORECAST_ROWS_H_
#define ZHIWEN_PIPELINE_DEDUP_FORECAST_FORECAST_ROWS_H_

// How many rows of each kind a run will have, from those of a sample: rows by document grow as the
// documents do, those of comparisons as what is compared.
//
// Threads     free function

#include "pipeline/dedup/forecast/forecast_sample_run.h"
#include "pipeline/dedup/forecast/forecast_scratch.h"

namespace zhiwen {

// What is expected of all.
struct RowCounts {
  double documents = 0;
  double compared = 0;
  double removed = 0;
  double representatives_removed = 0;  // for another text
};

// `share`: of the documents that the sample is.
ExpectedRows ExpectRows(const SampleRun& sample, DedupMode mode, double share,
                        const RowCounts& all);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_FORECAST_FORECAST_ROWS_H_
