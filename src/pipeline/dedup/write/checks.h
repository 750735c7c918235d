#ifndef ZHIWEN_PIPELINE_DEDUP_WRITE_CHECKS_H_
#define ZHIWEN_PIPELINE_DEDUP_WRITE_CHECKS_H_

// The checks of a run, before it goes on after the first pass and before it publishes.

#include <optional>
#include <string>
#include <vector>

#include "pipeline/dedup/write/counts.h"
#include "pipeline/dedup/write/outputs.h"
#include "zhiwen/dedup.h"
#include "zhiwen/result.h"

namespace zhiwen {

struct CheckOptions {
  std::optional<std::string> id_field;               // where one was named
  std::optional<std::string> group_by, key, within;  // fields
  std::string keep;                                  // the policy, as it was given
  std::vector<std::string> policy_fields;            // that it reads
  FailureLimit max_failed;
  bool unique_ids = false;
};

// A field that somebody named and no record has is a mistake of the command line, not of the
// records. Texts and ids may be in the references (none: nullptr) alone. Fails: kNotFound, naming
// it.
Status CheckNamedFields(const RunContext& run, const SketchTotals& totals,
                        const References* references, const CheckOptions& options);

// Warns of failed records. Fails: kUnreadable when there are more than allowed, or nothing else.
Status CheckFailures(const RunContext& run, const SketchTotals& totals, const FailureLimit& most);

// Fails: kUnreadable when ids repeat.
Status CheckUniqueIds(const DuplicateIds& duplicates);

// Warns where the ids that marked records name as their keepers' repeat.
void WarnOfSharedIds(const RunContext& run, const DuplicateIds& duplicates);

// Theorem A, looked at once more where it would be published. Fails: kInternal.
Status CheckKeepers(const RunData& run);

// in = kept + removed + failed: the records and bytes that were read against the rows and bytes
// that were written. Fails: kInternal.
Status CheckAccounts(const RunData& run, uint64_t kept, const OutputCounts& written);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_WRITE_CHECKS_H_
