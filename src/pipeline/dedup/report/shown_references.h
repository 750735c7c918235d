#ifndef ZHIWEN_PIPELINE_DEDUP_REPORT_SHOWN_REFERENCES_H_
#define ZHIWEN_PIPELINE_DEDUP_REPORT_SHOWN_REFERENCES_H_

// Shows the references that a user should look at, with their texts: those with the most hits,
// those that nothing can match, and the shingles that do not count. Warns of references that are
// rather phrases than leaks.
//
// Cost        one reading of the references
// Threads     one caller
// Fails       as References::VisitTexts

#include "pipeline/dedup/decide/run_data.h"
#include "zhiwen/dedup.h"
#include "zhiwen/result.h"

namespace zhiwen {

// Only where there are references.
Result<AgainstReport> ShowReferences(const RunData& run);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_REPORT_SHOWN_REFERENCES_H_
