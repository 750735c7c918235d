#ifndef ZHIWEN_PIPELINE_DEDUP_WRITE_CHECKS_H_
#define ZHIWEN_PIPELINE_DEDUP_WRITE_CHECKS_H_

// What a run makes sure of before it goes on, and before it publishes.

#include "pipeline/dedup/plan.h"
#include "pipeline/dedup/write/counts.h"
#include "pipeline/dedup/write/outputs.h"
#include "zhiwen/dedup.h"
#include "zhiwen/result.h"

namespace zhiwen {

// A field that somebody named and no record has is a mistake of the command line, not of the
// records. Fails: kNotFound, naming it.
Status CheckNamedFields(const SketchTotals& totals, const RunSpools& spools, const Plan& plan,
                        const DedupOptions& options);

// Warns of failed records. Fails: kUnreadable when there are more than allowed, or nothing else.
Status CheckFailures(const DedupInputs& inputs, const SketchTotals& totals, const RunSpools& spools,
                     const DedupOptions& options, LogSink& log);

// Fails: kUnreadable, with --unique-ids, when ids repeat.
Status CheckUniqueIds(const DuplicateIds& duplicates, const DedupOptions& options);

// Theorem A, looked at once more where it would be published. Fails: kInternal.
Status CheckKeepers(const RunData& run);

// in = kept + removed + failed: the records and bytes that were read against the rows and bytes
// that were written. Fails: kInternal.
Status CheckAccounts(const RunData& run, uint64_t kept, const OutputCounts& written);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_WRITE_CHECKS_H_
