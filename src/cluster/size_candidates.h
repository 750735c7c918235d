#ifndef ZHIWEN_CLUSTER_SIZE_CANDIDATES_H_
#define ZHIWEN_CLUSTER_SIZE_CANDIDATES_H_

// Takes as candidates all kept documents whose sets have a size that can match. It serves the few
// documents whose sets are so large that the tables of the exact join would not fit. No match is
// missed.

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "cluster/kept_candidates.h"
#include "index/thresholds/resemblance_threshold.h"

namespace zhiwen {

class SizeCandidates : public KeptCandidates {
 public:
  // `sizes` holds the size of each document's set.
  SizeCandidates(std::vector<uint64_t> sizes, double threshold)
      : sizes_(std::move(sizes)), threshold_(threshold) {}

  void AppendCandidates(size_t, uint32_t document, uint32_t first,
                        std::vector<uint32_t>& candidates) override {
    for (const uint32_t kept : kept_) {
      const auto [small, large] = std::minmax(sizes_[kept], sizes_[document]);
      if (kept < first || !ReachesThreshold(small, large, threshold_)) continue;
      candidates.push_back(kept);
    }
  }
  void Insert(uint32_t document) override { kept_.push_back(document); }
  void PrepareBlock(std::span<const uint32_t>) override {}
  void AppendLikely(size_t, uint32_t, std::vector<uint32_t>&) override {}

 private:
  const std::vector<uint64_t> sizes_;
  const double threshold_;
  std::vector<uint32_t> kept_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_CLUSTER_SIZE_CANDIDATES_H_
