#ifndef ZHIWEN_PIPELINE_DEDUP_AUDIT_AUDIT_RULES_H_
#define ZHIWEN_PIPELINE_DEDUP_AUDIT_AUDIT_RULES_H_

// Applies the rules of docs/dedup-rules.md to two texts by the slow path (slow_similarity.h):
// whether a removal is right, and whether a kept document matches another one or a reference.
//
// Threads     one object a worker; all else pure
// Fails       kUnreadable: a text is not valid UTF-8

#include "pipeline/dedup/audit/audit_texts.h"
#include "pipeline/dedup/audit/slow_similarity.h"
#include "pipeline/dedup/decide/run_data.h"
#include "zhiwen/result.h"

namespace zhiwen {

// Whether everything that the row says of both texts is so: equal texts are equal, the overlap is
// that of their sets and reaches the threshold of the rule that decided, equal keys are equal, and
// both are of one group and near in time.
Result<bool> RowHolds(const RunData& run, const RemovalRow& row, const AuditedText& document,
                      const AuditedText& keeper);

// One kept document, in a shape for the many that it is compared with.
class SlowMatcher {
 public:
  // Both outlive it.
  static Result<SlowMatcher> Create(const RunData& run, const AuditedText& document);

  // Whether one of both kept documents should have gone for the other; in mode contained, whether
  // this one lies in the other, which has at least as many shingles.
  Result<bool> MatchesKept(const AuditedText& other) const;

  // By the rule of references.
  Result<bool> MatchesReference(const AuditedText& reference) const;

 private:
  SlowMatcher(const RunData& run, const AuditedText& document) : run_(run), document_(document) {}

  const RunData& run_;
  const AuditedText& document_;
  SlowSet shingles_;  // on the channel of the run
};

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_AUDIT_AUDIT_RULES_H_
