#ifndef ZHIWEN_PIPELINE_DEDUP_AUDIT_AUDIT_H_
#define ZHIWEN_PIPELINE_DEDUP_AUDIT_AUDIT_H_

// Checks a sample of a run's decisions by the slow path (audit_rules.h), on texts that are read
// again from the inputs and the references. Removals are checked with their keepers. Kept documents
// are checked against all kept ones that may match (audit_keys.h; mode contained:
// audit_containers.h) and against all references (audit_references.h). Texts of more than
// kMostAuditedCodePoints are left out and counted.
//
// Guarantees  the same result for any threads and memory
// Cost        one pass over the inputs, which reads two documents a removal, and with each kept
//             document those that look like it; more passes where their texts do not fit in memory.
//             Reads the keys of all documents once. Mode contained: two more passes, one of them
//             over all kept texts. References: four or five more passes over them
// Fails       kInternal: a removal is wrong; kUnreadable, and on cancellation

#include <optional>
#include <span>

#include "pipeline/dedup/decide/run_data.h"
#include "pipeline/dedup/input/document_pass.h"
#include "pipeline/dedup/sketch/audit_keys.h"
#include "zhiwen/dedup.h"
#include "zhiwen/result.h"

namespace zhiwen {

// Checks this many removals and this many kept documents; 0: nothing is checked. `keys` are those
// that the first pass wrote. The documents of `wishes` are visited in any case, with those of the
// audit. Memory: work_bytes, and one document with its candidates.
Result<std::optional<DedupAudit>> AuditRun(const RunData& run, uint64_t size,
                                           const AuditKeyPlan& keys,
                                           std::span<const DocumentWish> wishes);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_AUDIT_AUDIT_H_
