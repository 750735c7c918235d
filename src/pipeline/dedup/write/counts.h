#ifndef ZHIWEN_PIPELINE_DEDUP_WRITE_COUNTS_H_
#define ZHIWEN_PIPELINE_DEDUP_WRITE_COUNTS_H_

// Counts the figures of a report.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "pipeline/dedup/decide/run_data.h"
#include "zhiwen/dedup.h"

namespace zhiwen {

// Failed records by reason, sorted by name.
std::vector<std::pair<std::string, uint64_t>> CountFaults(const SketchTotals& totals);

// Files of inputs and references by encoding, sorted by name; none where all are UTF-8.
std::vector<std::pair<std::string, uint64_t>> CountEncodings(const RunData& run);

struct DuplicateIds {
  uint64_t count = 0;  // records that repeat an id
  std::vector<std::string> examples;
};

// The files that were read in part, with how many records were read of each.
Result<std::vector<DamagedFile>> DescribeBadFiles(const RunContext& run,
                                                  const std::vector<BadFile>& bad_files);

// Memory: work_bytes.
Result<DuplicateIds> CountDuplicateIds(const RunContext& run, DocumentIndex documents);

// Fills in what is known once all documents are decided.
Status CountDocuments(const RunData& run, const SketchOptions& sketch, DedupReport& report);

// By reference, how many inputs match it. Only where there are references.
Result<std::vector<uint64_t>> CountReferenceHits(const RunData& run);

// Every pair by which a document was removed stands for 1 / p of its kind, p being the probability
// of its becoming a candidate; the rest of its kind was missed (Horvitz and Thompson, 1952).
Result<double> ExpectedMissedPairs(const BandPlan& plan, const Removals& removals);

// The same for mode contained; an upper bound (index/joins/sampled_shingles.h).
Result<double> ExpectedMissedPairs(const ShingleSampling& sampling, const Removals& removals);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_WRITE_COUNTS_H_
