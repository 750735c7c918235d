#ifndef ZHIWEN_PIPELINE_DEDUP_SHINGLE_SETS_H_
#define ZHIWEN_PIPELINE_DEDUP_SHINGLE_SETS_H_

// The shingle sets of documents that may match, in rank order.

#include <cstdint>
#include <span>
#include <vector>

#include "pipeline/dedup/document_table.h"
#include "pipeline/dedup/inputs.h"
#include "zhiwen/dedup.h"
#include "zhiwen/result.h"

namespace zhiwen {

struct RankedSets {
  std::vector<DocumentIndex> documents;     // by rank
  std::vector<std::vector<uint64_t>> sets;  // sets[r] of documents[r]: ascending, distinct
};

// Ranks `documents` and reads their texts (second pass).
Result<RankedSets> ReadRankedSets(const DedupInputs& inputs, const RecordFields& fields,
                                  Channel channel, const DocumentTable& table,
                                  std::vector<DocumentIndex> documents,
                                  const DedupEnvironment& environment);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_SHINGLE_SETS_H_
