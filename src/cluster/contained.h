#ifndef ZHIWEN_CLUSTER_CONTAINED_H_
#define ZHIWEN_CLUSTER_CONTAINED_H_

// The rule of contained mode: documents are ranked by the number of distinct shingles, the largest
// first, then by the keep policy. In rank order, d is removed exactly when |S(d) ∩ S(k)| / |S(d)| ≥
// threshold for a *kept* k before it, and |S(d)| ≥ kLeastContainedSize; its keeper is the first
// such k. Equal texts have collapsed before.
//
// In          documents numbered by rank; for the fast form candidate pairs as
//             index/joins/containment_pairs.h selects them
// Out         for each document its keeper, or kKept
// Guarantees  Theorem A: every removed document is contained in its keeper, which is kept. The fast
//             form equals DecideContained whenever every pair that reaches the threshold is a
//             candidate; for any number of threads the same decisions and counts
// Cost        the fast form: one check for each candidate pair (document, earlier kept) up to the
//             first match, and a few ahead of time. Memory: 4 bytes a candidate pair and 12 a
//             document with candidates, in ContainerLists; while deciding, as much again for those
//             documents, 1 byte for each document in some list, and 8 bytes for every document
// Threads     one caller; `matches` is called by all workers at once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cluster/parallel_greedy.h"
#include "zhiwen/executor.h"

namespace zhiwen {

// The definition of the rule, which compares each document with all kept ones before it. `sets` are
// ordered by rank; the hashes of each are ascending and distinct.
std::vector<uint32_t> DecideContained(std::span<const std::span<const uint64_t>> sets,
                                      double threshold);

// Lists, for some documents, the earlier documents that may contain them.
class ContainerLists {
 public:
  // `document` must ascend from call to call; `containers` must ascend, be distinct and be below
  // `document`.
  void Append(uint32_t document, std::span<const uint32_t> containers);

  size_t size() const { return documents_.size(); }
  uint64_t pairs() const { return containers_.size(); }
  uint32_t document(size_t i) const { return documents_[i]; }
  std::span<const uint32_t> containers(size_t i) const {
    return std::span(containers_).subspan(starts_[i], starts_[i + 1] - starts_[i]);
  }

 private:
  std::vector<uint32_t> documents_;
  std::vector<uint64_t> starts_ = {0};
  std::vector<uint32_t> containers_;
};

// Applies the rule to candidate pairs, on all cores. `matches` verifies that `document` is
// contained in `kept` (match/similarity.h: SetContains). Documents in no list are kept; progress
// counts only documents that occur in some list.
GreedyDecision DecideContainedByLists(const ContainerLists& lists, uint32_t documents,
                                      const MatchCheck& matches, Executor& executor,
                                      const DecisionProgress& progress = {});

}  // namespace zhiwen

#endif  // ZHIWEN_CLUSTER_CONTAINED_H_
