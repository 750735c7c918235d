#ifndef ZHIWEN_PIPELINE_DEDUP_ROWS_REMOVAL_ROW_H_
#define ZHIWEN_PIPELINE_DEDUP_ROWS_REMOVAL_ROW_H_

// One removal: the document, its keeper, and the similarity of both.

#include <cstdint>
#include <string_view>

#include "match/similarity.h"
#include "pipeline/dedup/rows/document_rows.h"
#include "pipeline/dedup/rows/removal_rules.h"
#include "zhiwen/dedup.h"

namespace zhiwen {

// In arrays by document that name keepers: it was removed for a reference.
inline constexpr DocumentIndex kReferenceKeeper = kNoDocument - 1;

struct RemovalRow {
  DocumentIndex document = 0;
  uint32_t keeper = 0;  // a document; a reference when `against`; IsRepresentative: itself
  // Shingles of the document, of its keeper, and of both; 0 for equal texts.
  uint64_t size = 0, keeper_size = 0, shared = 0;
  bool equal_channel = false;
  bool equal_exact = false;  // on the exact channel
  bool against = false;
  bool by_key = false;  // `keeper` is the first by rank with its key, which may be removed itself
  uint32_t run = 0;     // of symbols that both have: against references, where that decides

  // Whether the document represents a cluster of which nothing is kept.
  bool IsRepresentative() const { return !against && keeper == document; }

  // Whether it was removed for another text, so that the similarities below are those of both;
  // otherwise these are 1.
  bool HasSimilarities() const { return !by_key && !IsRepresentative(); }

  SetOverlap Overlap() const { return {size, keeper_size, shared}; }
  double Resemblance() const {
    return equal_channel || !HasSimilarities() ? 1 : Overlap().Resemblance();
  }
  double Containment() const {
    return equal_channel || !HasSimilarities() ? 1 : Overlap().ContainmentOfA();
  }
  double ContainmentOfKept() const {
    if (run > 0 && keeper_size == 0) return 1;  // a reference without a shingle, found as a whole
    return equal_channel || !HasSimilarities() ? 1 : Overlap().ContainmentOfB();
  }
};
static_assert(sizeof(RemovalRow) == 40);  // run_spools.h, "Persisted"

// As removed.jsonl.zst has it.
inline std::string_view RemovalReason(const RemovalRow& row, DedupMode mode) {
  if (row.against) return "against";
  if (row.by_key) return "key";
  if (row.IsRepresentative()) return "representative";
  if (row.equal_exact) return "exact";
  return mode == DedupMode::kContained ? "contained" : "near";
}

// The similarity that decided.
inline double DecidingSimilarity(const RemovalRow& row, const RemovalRules& rules) {
  if (!row.against) {
    return rules.mode == DedupMode::kContained ? row.Containment() : row.Resemblance();
  }
  switch (rules.against.rule) {
    case ReferenceRule::kContainedIn:
      return row.Containment();
    case ReferenceRule::kContains:
      return row.ContainmentOfKept();
    case ReferenceRule::kNear:
    case ReferenceRule::kOverlap:
      break;
  }
  return row.Resemblance();
}

// Which channel decided.
inline const Channel& DecidingChannel(const RemovalRow& row, const RemovalRules& rules) {
  const bool is_exact = rules.mode == DedupMode::kExact && !row.against;
  return is_exact ? ExactChannel() : rules.channel;
}

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_ROWS_REMOVAL_ROW_H_
