#ifndef ZHIWEN_CLUSTER_KEPT_CANDIDATES_H_
#define ZHIWEN_CLUSTER_KEPT_CANDIDATES_H_

// Interface through which the greedy rule finds the kept documents that may match a document. Only
// kept documents are inserted, so that a cluster of m near-copies costs m checks, not m².
//
// In          documents 0 … n − 1 in rank order; insertions ascend
// Threads     AppendCandidates and AppendLikely may run concurrently, each worker with its own
//             number; the other functions must run alone

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace zhiwen {

class KeptCandidates {
 public:
  virtual ~KeptCandidates() = default;

  // Appends the inserted documents ≥ `first` that may match `document`, ascending and distinct.
  virtual void AppendCandidates(size_t worker, uint32_t document, uint32_t first,
                                std::vector<uint32_t>& candidates) = 0;

  // Makes `document` a candidate for later ones.
  virtual void Insert(uint32_t document) = 0;

  // Called about every thousand queries. May change how candidates are found, never which are
  // found.
  virtual void Adapt() {}

  // Prepares AppendLikely for a block of undecided documents.
  virtual void PrepareBlock(std::span<const uint32_t> undecided) = 0;

  // Appends earlier documents of the prepared block that are likely to become the keeper of
  // `document`, which is in the block, ascending and distinct. This is a hint; appending none is
  // correct.
  virtual void AppendLikely(size_t worker, uint32_t document,
                            std::vector<uint32_t>& candidates) = 0;
};

}  // namespace zhiwen

#endif  // ZHIWEN_CLUSTER_KEPT_CANDIDATES_H_
