#ifndef ZHIWEN_PIPELINE_DEDUP_SKETCH_RANK_H_
#define ZHIWEN_PIPELINE_DEDUP_SKETCH_RANK_H_

// Ranks the documents: by keep policy, then by the hash of the raw text, then by id, then by
// position. Keys that do not fit in memory are sorted on scratch.

#include <vector>

#include "pipeline/dedup/input/run_context.h"
#include "zhiwen/dedup.h"
#include "zhiwen/result.h"

namespace zhiwen {

// Returns the rank of each document, 0 the first. Memory: 4 bytes a document and work_bytes.
Result<std::vector<uint32_t>> RankDocuments(const RunContext& run, DocumentIndex documents);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_SKETCH_RANK_H_
