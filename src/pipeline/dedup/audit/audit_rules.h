#ifndef ZHIWEN_PIPELINE_DEDUP_AUDIT_AUDIT_RULES_H_
#define ZHIWEN_PIPELINE_DEDUP_AUDIT_AUDIT_RULES_H_

// Applies the rules of docs/dedup-rules.md to two texts by the slow path (slow_similarity.h):
// whether a removal is right, and whether a kept document matches another one or a reference.
//
// Threads     one object a worker
// Fails       kUnreadable: a text is not valid UTF-8

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "pipeline/dedup/audit/audit_texts.h"
#include "pipeline/dedup/audit/slow_similarity.h"
#include "pipeline/dedup/decide/run_data.h"
#include "zhiwen/result.h"

namespace zhiwen {

// Compares texts; its memory is used again by the next ones.
class SlowComparer {
 public:
  // `run` outlives it.
  explicit SlowComparer(const RunData& run) : run_(&run) {}

  // Gives its memory back if it is that of texts of more than so many symbols. What was taken up is
  // gone.
  void Shrink(uint64_t symbols) {
    if (std::max(symbols_.capacity(), shingles_.capacity()) > symbols) *this = SlowComparer(*run_);
  }

  // Whether everything that the row says of both texts is so: equal texts are equal, the overlap is
  // that of their sets and reaches the threshold of the rule that decided, equal keys are equal,
  // and both are of one group and near in time. Rows of one keeper that follow each other read its
  // text once.
  Result<bool> RowHolds(const RemovalRow& row, const AuditedText& document,
                        const AuditedText& keeper);

  // Takes up a kept document, which outlives its comparisons.
  Status TakeUp(const AuditedText& document);

  // Whether one of both kept documents should have gone for the other; in mode contained, whether
  // the one taken up lies in the other, which has at least as many shingles.
  Result<bool> MatchesKept(const AuditedText& other);

  // Goes on with what is left of the document taken up, if its text loses something.
  Status TakeUpRest();

  // The same by the rule of references.
  Result<bool> MatchesReference(const AuditedText& reference);

 private:
  using KeeperKey = std::pair<bool, uint32_t>;  // a reference or not, and its number

  // Compares shingles_, as `a`, with the set of `text`.
  Result<SetOverlap> CompareWith(std::string_view text);

  const RunData* run_;
  const AuditedText* document_ = nullptr;
  std::string_view text_;            // of it, or what is left of that
  SlowSet shingles_;                 // of a keeper, or of the document taken up
  std::optional<KeeperKey> keeper_;  // whose set shingles_ is
  std::vector<uint32_t> symbols_;    // of the text that is compared with it
};

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_AUDIT_AUDIT_RULES_H_
