#ifndef ZHIWEN_PIPELINE_DEDUP_AUDIT_H_
#define ZHIWEN_PIPELINE_DEDUP_AUDIT_H_

// A run checks a sample of its own decisions by the slow path (slow_similarity.h), on texts that
// are read again from the inputs: removals, each with its keeper; kept documents, each against all
// kept ones that share keys with it (audit_keys.h).
//
// Guarantees  the same result for any threads and memory
// Cost        two documents a removal, and of a kept document those that look like it; the keys of
//             all documents are read once
// Fails       kInternal: a removal is wrong; kUnreadable, and on cancellation
// Not for     modes without keys (SketchPassOptions::audit): they have no audit yet

#include <optional>

#include "pipeline/dedup/outputs.h"
#include "zhiwen/dedup.h"
#include "zhiwen/result.h"

namespace zhiwen {

// Nothing where the first pass kept no keys. Memory: `memory_bytes`, and one document with its
// candidates.
Result<std::optional<DedupAudit>> AuditRun(const RunData& run, uint64_t memory_bytes,
                                           const DedupEnvironment& environment);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_AUDIT_H_
