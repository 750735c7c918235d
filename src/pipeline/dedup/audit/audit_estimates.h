#ifndef ZHIWEN_PIPELINE_DEDUP_AUDIT_AUDIT_ESTIMATES_H_
#define ZHIWEN_PIPELINE_DEDUP_AUDIT_AUDIT_ESTIMATES_H_

// Estimates figures of all documents from those of a sample.

#include <cstdint>

#include "zhiwen/dedup_findings.h"

namespace zhiwen {

struct Sample {
  uint64_t hits = 0;
  uint64_t size = 0;
};

// The Wilson score interval at 95 % (E. B. Wilson, 1927; L. Brown, T. Cai, A. DasGupta, 2001). An
// empty sample says nothing: 0 to 1.
ShareInterval WilsonInterval(const Sample& sample);

struct RecallCounts {
  uint64_t removed = 0;
  uint64_t kept = 0;  // documents that `residual` is a share of
};

// removed / (removed + kept × residual), at the share and both ends. Every kept document that
// matches a kept one counts as one that should have gone, although of two only one should: recall
// is not overstated. Nothing removed and nothing left: 1.
ShareInterval EstimateRecall(const RecallCounts& counts, const ShareInterval& residual);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_AUDIT_AUDIT_ESTIMATES_H_
