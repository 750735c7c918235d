#ifndef ZHIWEN_PIPELINE_DEDUP_ROWS_REMOVAL_RULES_H_
#define ZHIWEN_PIPELINE_DEDUP_ROWS_REMOVAL_RULES_H_

// The rules by which a run removes documents (docs/dedup-rules.md), as every stage reads them.

#include <algorithm>
#include <cstdint>
#include <optional>

#include "feature/shingles.h"
#include "index/references/reference_index.h"
#include "zhiwen/channel.h"
#include "zhiwen/dedup.h"

namespace zhiwen {

// Of a document without a date.
inline constexpr int64_t kNoDate = INT64_MIN;
// A share of the inputs says little where there are few of them: so many are never too many.
inline constexpr uint64_t kFewInputs = 20;

// Whether `inputs` of `all` are more than `share` of them.
inline bool IsMoreThan(double share, uint64_t inputs, uint64_t all) {
  return inputs > kFewInputs && static_cast<double>(inputs) > share * static_cast<double>(all);
}

struct RemovalRules {
  DedupMode mode = DedupMode::kNear;
  Channel channel = FoldedChannel();  // mode exact: only references are compared on it
  double threshold = 0.8;             // resemblance; mode contained: containment
  bool keeps_none = false;            // the representative of a cluster is removed, too
  std::optional<uint64_t> within;     // seconds between the dates of two that match, at most
  // Read only where there are references:
  ReferenceIndexOptions against;
  uint32_t min_reference = 0;  // of kContains: a reference of fewer units matches nothing
  // Of kContains: shingles of more inputs do not count for a reference. None: all count.
  std::optional<double> common_share;

  bool cuts = false;  // what matches a reference loses the passage, and stays

  // Whether two dates let documents match: nobody knows how far apart they are if one is missing.
  bool AreNear(int64_t a, int64_t b) const {
    if (!within || a == kNoDate || b == kNoDate) return true;
    return static_cast<uint64_t>(a < b ? b - a : a - b) <= *within;
  }
  // How many units a reference has at least; with fewer nothing matches it. An empty text never
  // matches.
  uint64_t LeastReference() const {
    if (against.rule == ReferenceRule::kOverlap) return against.run;
    return against.rule == ReferenceRule::kContains ? std::max<uint64_t>(min_reference, 1) : 0;
  }
  // Whether only all inputs together tell which shingles of references count.
  bool HasCommonShingles() const {
    return against.rule == ReferenceRule::kContains && common_share.has_value();
  }
  // How many shingles a reference has at least when it lost some: as many as the shortest
  // reference.
  uint64_t LeastLeft() const {
    return LeastReference() < kShingleLength ? 1 : LeastReference() - kShingleLength + 1;
  }
};

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_ROWS_REMOVAL_RULES_H_
