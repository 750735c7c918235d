#ifndef ZHIWEN_PIPELINE_DEDUP_AUDIT_AUDIT_REFERENCES_H_
#define ZHIWEN_PIPELINE_DEDUP_AUDIT_AUDIT_REFERENCES_H_

// Finds the references that a few drawn kept documents may match. All references are read once
// more, and all hashes of theirs that the rule needs are looked up among the drawn documents.
//
// In          drawn documents, ascending
// Out         for each the references that match it by their counts of hashes
// Guarantees  no reference is overlooked: all shingles of a drawn document are looked up, under
//             kOverlap all its runs, under kContains its shortest runs too
// Cost        the drawn documents and the references are read once for each part of the sample
//             whose table fits in memory, 40 bytes a shingle; one thread
// Threads     one caller
// Fails       kUnreadable, and on cancellation

#include <cstdint>
#include <span>
#include <vector>

#include "pipeline/dedup/audit/audit_sample.h"
#include "pipeline/dedup/decide/run_data.h"
#include "zhiwen/result.h"

namespace zhiwen {

// SampleCandidates::documents are numbers of references.
Result<std::vector<SampleCandidates>> FindReferenceCandidates(
    const RunData& run, std::span<const DocumentIndex> sample);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_AUDIT_AUDIT_REFERENCES_H_
