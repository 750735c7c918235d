#ifndef ZHIWEN_PIPELINE_DEDUP_SKETCH_LATE_MATCHES_H_
#define ZHIWEN_PIPELINE_DEDUP_SKETCH_LATE_MATCHES_H_

// Decides which inputs match a reference where only all inputs together tell it: shingles that too
// many inputs have do not count (docs/dedup-rules.md, "Common shingles"). The first pass keeps of
// every input which shingles of references it has. Afterwards these rows are counted, the index of
// references is made without the common ones, and each row is looked up in it. The sizes that a
// removal names are those of the texts, which are read once more where they match.
//
// Guarantees  the result depends on the inputs and the references alone: rows are in the order of
//             input, and what is counted is counted from them, after a resume too
// Cost        4 bytes a shingle of the references while they are counted; two readings of the rows,
//             one of the blocks with an input that matches; a bit a document
// Threads     rows: one; texts: all workers
// Fails       as base/scratch/scratch.h, as ReferenceIndex, on cancellation, and as RunDocumentPass

#include <string>

#include "pipeline/dedup/input/run_context.h"
#include "pipeline/dedup/rows/run_spools.h"
#include "pipeline/dedup/sketch/references.h"
#include "zhiwen/result.h"

namespace zhiwen {

// Appends the row of a document to bytes for RunSpools::reference_shingles.
void AppendFoundShingles(const FoundShingles& found, std::string& out);

// Counts how many inputs have each shingle and makes the index of `references`, which wait. All
// inputs are rows.
Status LeaveOutCommonShingles(const RunContext& run, References& references);

// Fills spools.against, spools.cuts and spools.reference_hits, which are those of `run`. On failure
// all are left empty, so that a later process can begin with them again.
Status MatchLate(const RunContext& run, const References& references, RunSpools& spools);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_SKETCH_LATE_MATCHES_H_
