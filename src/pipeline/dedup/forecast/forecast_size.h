#ifndef ZHIWEN_PIPELINE_DEDUP_FORECAST_FORECAST_SIZE_H_
#define ZHIWEN_PIPELINE_DEDUP_FORECAST_FORECAST_SIZE_H_

// How much there is in all, from what a sample holds: files of one format and compression have as
// many documents to a byte (Parquet: to a row) as those that were read. W. Cochran, "Sampling
// Techniques", 3rd ed. 1977, §6.3 (ratio estimates and their variance).
//
// Guarantees  a sample that is everything gives what it holds
// Threads     free function

#include <cstdint>
#include <optional>
#include <vector>

#include "pipeline/dedup/forecast/forecast_sample_run.h"

namespace zhiwen {

struct ExpectedSize {
  double documents = 0, documents_error = 0;  // error: standard deviation
};

// `rows`: of Parquet files, by input, where their footers were read.
ExpectedSize ExpectSize(const DedupInputs& inputs, const std::vector<std::optional<uint64_t>>& rows,
                        const SampleRun& run);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_FORECAST_FORECAST_SIZE_H_
