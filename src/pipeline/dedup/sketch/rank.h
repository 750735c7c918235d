#ifndef ZHIWEN_PIPELINE_DEDUP_SKETCH_RANK_H_
#define ZHIWEN_PIPELINE_DEDUP_SKETCH_RANK_H_

// The order of documents: by keep policy, then the hash of the raw text, then the id, then
// position; sorted once, outside of memory where it does not fit.

#include <vector>

#include "pipeline/dedup/input/run_context.h"
#include "zhiwen/dedup.h"
#include "zhiwen/result.h"

namespace zhiwen {

// Returns the rank of each document, 0 the first. Memory: 4 bytes a document and work_bytes.
Result<std::vector<uint32_t>> RankDocuments(const RunContext& run, DocumentIndex documents);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_SKETCH_RANK_H_
