#ifndef ZHIWEN_CLUSTER_JOIN_CANDIDATES_H_
#define ZHIWEN_CLUSTER_JOIN_CANDIDATES_H_

// Takes candidates from the exact join, which misses no match.

#include <utility>
#include <vector>

#include "cluster/kept_candidates.h"
#include "index/joins/prefix_join.h"

namespace zhiwen {

class JoinCandidates : public KeptCandidates {
 public:
  JoinCandidates(PrefixJoin join, size_t workers) : join_(std::move(join)), scratch_(workers) {}

  void AppendCandidates(size_t worker, uint32_t document, uint32_t first,
                        std::vector<uint32_t>& candidates) override {
    join_.AppendCandidates(document, first, scratch_[worker], candidates);
  }
  void Insert(uint32_t document) override { join_.Insert(document); }
  void PrepareBlock(std::span<const uint32_t>) override {}
  void AppendLikely(size_t, uint32_t, std::vector<uint32_t>&) override {}

 private:
  PrefixJoin join_;
  std::vector<PrefixJoin::Scratch> scratch_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_CLUSTER_JOIN_CANDIDATES_H_
