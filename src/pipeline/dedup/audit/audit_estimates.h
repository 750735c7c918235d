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
  uint64_t unsure = 0;      // of `size`: neither hits nor certain to be none
  uint64_t beyond = 0;      // documents that cannot be drawn; any of them may be a hit
  double miss = 0;          // chance at most that a hit is taken for none
};

// Returns how many of a population say as much as `wanted` do of an endless one: without a hit, at
// most the same share may be left. 602 of 1,000 or 948 of 10,000 as much as 1,000; all of a tenth
// of `wanted` or fewer.
uint64_t SampleSize(uint64_t wanted, uint64_t population);

// The interval at 95 % of the share of hits in the population and what is beyond it. It holds for
// every share and population: from the least number of hits of which a sample has so many with
// 2.5 % or more to the greatest of which it has so few, by the hypergeometric distribution
// (C. Clopper, E. Pearson, 1934; J. Buonaccorsi, 1987). An empty sample says nothing: 0 to 1; one
// of the whole population says exactly what it is.
ShareInterval ExactInterval(const Sample& sample);

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
