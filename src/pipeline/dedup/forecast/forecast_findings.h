#ifndef ZHIWEN_PIPELINE_DEDUP_FORECAST_FORECAST_FINDINGS_H_
#define ZHIWEN_PIPELINE_DEDUP_FORECAST_FORECAST_FINDINGS_H_

// What a run over a sample found, as a forecast needs it: which documents belong together, how far
// apart they stand, and how many bytes its rows take.
//
// In          the rows of a run and its decisions, before anything is written
// Cost        reads the rows once. Memory: kFinderBytes a document of the sample
// Threads     one caller

#include <cstdint>
#include <vector>

#include "pipeline/dedup/decide/run_data.h"
#include "pipeline/dedup/forecast/forecast_growth.h"
#include "zhiwen/result.h"

namespace zhiwen {

// Blocks that were read one after the other, up to some size.
struct SampledUnit {
  uint32_t file = 0;    // of the run
  uint64_t stream = 0;  // bytes, of Parquet rows
  uint64_t records = 0;
  uint64_t documents = 0;
  uint64_t against = 0;  // of these, removed for a reference
  uint32_t number = 0;   // those of neighbours differ by one
};

struct SampleFindings {
  std::vector<SampledUnit> units;
  uint64_t documents = 0, removed = 0;
  uint64_t against = 0;    // of these, for a reference
  ClusterSample clusters;  // a kept document and those removed for it; none of `against`

  uint64_t row_bytes = 0;    // of the first pass, on scratch
  uint64_t label_bytes = 0;  // of these the labels
  // Documents that may be compared, and their shingles: of the whole sample, and of the largest.
  uint64_t comparable_documents = 0, comparable_shingles = 0, most_shingles = 0;
};

inline constexpr uint64_t kFinderBytes = 24;

struct FindOptions {
  uint64_t unit_bytes = uint64_t{2} << 20;  // of the stream of a file
  uint64_t unit_blocks = 8;                 // where that counts rows
};

Result<SampleFindings> FindInSample(const RunData& run, const FindOptions& options);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_FORECAST_FORECAST_FINDINGS_H_
