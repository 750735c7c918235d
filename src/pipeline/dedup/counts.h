#ifndef ZHIWEN_PIPELINE_DEDUP_COUNTS_H_
#define ZHIWEN_PIPELINE_DEDUP_COUNTS_H_

// The figures of a report.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "pipeline/dedup/outputs.h"
#include "pipeline/dedup/plan.h"
#include "zhiwen/dedup.h"

namespace zhiwen {

// Failed records by reason, sorted by name.
std::vector<std::pair<std::string, uint64_t>> CountFaults(const DocumentTable& table);

// Fills in what is known before anything is written.
void CountDocuments(const RunData& run, const Plan& plan, DedupReport& report);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_COUNTS_H_
