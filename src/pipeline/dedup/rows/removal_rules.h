#ifndef ZHIWEN_PIPELINE_DEDUP_ROWS_REMOVAL_RULES_H_
#define ZHIWEN_PIPELINE_DEDUP_ROWS_REMOVAL_RULES_H_

// The rules by which a run removes documents (docs/dedup-rules.md), as every stage reads them.

#include <cstdint>
#include <optional>

#include "index/references/reference_index.h"
#include "zhiwen/channel.h"
#include "zhiwen/dedup.h"

namespace zhiwen {

// Of a document without a date.
inline constexpr int64_t kNoDate = INT64_MIN;

struct RemovalRules {
  DedupMode mode = DedupMode::kNear;
  Channel channel = FoldedChannel();  // mode exact: only references are compared on it
  double threshold = 0.8;             // resemblance; mode contained: containment
  bool keeps_none = false;            // the representative of a cluster is removed, too
  std::optional<uint64_t> within;     // seconds between the dates of two that match, at most
  ReferenceIndexOptions against;      // read only where there are references

  // Whether two dates let documents match: nobody knows how far apart they are if one is missing.
  bool AreNear(int64_t a, int64_t b) const {
    if (!within || a == kNoDate || b == kNoDate) return true;
    return static_cast<uint64_t>(a < b ? b - a : a - b) <= *within;
  }
};

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_ROWS_REMOVAL_RULES_H_
