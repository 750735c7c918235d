#ifndef ZHIWEN_PIPELINE_DEDUP_AUDIT_AUDIT_ESTIMATES_H_
#define ZHIWEN_PIPELINE_DEDUP_AUDIT_AUDIT_ESTIMATES_H_

// Estimates figures of all documents from those of a sample.

#include <cstdint>

#include "zhiwen/dedup_findings.h"

namespace zhiwen {

struct Sample {
  uint64_t hits = 0;
  uint64_t size = 0;
  uint64_t population = 0;  // what it is drawn from, size ≤ population
};

// Returns how many of a population say as much as `wanted` do of an endless one (W. G. Cochran,
// Sampling Techniques, 1977, §4.4): 501 of 1,000 or 910 of 10,000 as much as 1,000.
uint64_t SampleSize(uint64_t wanted, uint64_t population);

// The Wilson score interval at 95 % (E. B. Wilson, 1927; L. Brown, T. Cai, A. DasGupta, 2001), of a
// sample as large as one of an endless population would have to be. An empty sample says nothing:
// 0 to 1; one of the whole population says exactly what it is.
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
