#ifndef ZHIWEN_PIPELINE_DEDUP_DECISIONS_H_
#define ZHIWEN_PIPELINE_DEDUP_DECISIONS_H_

// What happens to every document, and the figures that explain it.

#include <cstdint>
#include <vector>

#include "match/similarity.h"
#include "pipeline/dedup/document_table.h"

namespace zhiwen {

struct Decision {
  DocumentIndex keeper = kNoDocument;  // kNoDocument: the document is kept
  bool equal_exact = false;  // with the keeper, on the exact channel: reason "exact", else "near"
  // Of the document (a) with its keeper (b). Equal texts leave it zero: they are all of each other.
  SetOverlap overlap;
  bool equal_channel = false;

  bool removed() const { return keeper != kNoDocument; }
  double Resemblance() const { return equal_channel ? 1 : overlap.Resemblance(); }
  double Containment() const { return equal_channel ? 1 : overlap.ContainmentOfA(); }
  double ContainmentOfKept() const { return equal_channel ? 1 : overlap.ContainmentOfB(); }
};

struct DecisionStatistics {
  uint64_t candidate_pairs = 0;
  uint64_t verified_pairs = 0;
  uint64_t hot_buckets = 0;  // buckets whose pairs came from the exact join
  double expected_missed_pairs = 0;
};

struct Decisions {
  std::vector<Decision> documents;  // one each, in the order of input
  DecisionStatistics statistics;
};

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_DECISIONS_H_
