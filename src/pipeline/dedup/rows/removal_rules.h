#ifndef ZHIWEN_PIPELINE_DEDUP_ROWS_REMOVAL_RULES_H_
#define ZHIWEN_PIPELINE_DEDUP_ROWS_REMOVAL_RULES_H_

// The rules by which a run removes documents (docs/dedup-rules.md), as every stage reads them.

#include "index/references/reference_index.h"
#include "zhiwen/channel.h"
#include "zhiwen/dedup.h"

namespace zhiwen {

struct RemovalRules {
  DedupMode mode = DedupMode::kNear;
  Channel channel = FoldedChannel();  // mode exact: only references are compared on it
  double threshold = 0.8;             // resemblance; mode contained: containment
  bool keeps_none = false;            // the representative of a cluster is removed, too
  ReferenceIndexOptions against;      // read only where there are references
};

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_ROWS_REMOVAL_RULES_H_
