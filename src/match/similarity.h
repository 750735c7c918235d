#ifndef ZHIWEN_MATCH_SIMILARITY_H_
#define ZHIWEN_MATCH_SIMILARITY_H_

// The similarities of two shingle sets, one definition each. A. Broder, 1997, §2. Whether a
// resemblance or containment reaches a threshold is decided by
// index/thresholds/resemblance_threshold.h and index/thresholds/containment_threshold.h alone.

#include <cstdint>
#include <span>

#include "index/thresholds/containment_threshold.h"
#include "index/thresholds/resemblance_threshold.h"

namespace zhiwen {

// Sizes of two sets and of their intersection; every set similarity follows from them.
struct SetOverlap {
  uint64_t a = 0, b = 0, shared = 0;

  // |A ∩ B| / |A ∪ B|; 0 when both are empty.
  double Resemblance() const;
  // |A ∩ B| / |A|; 0 when A is empty.
  double ContainmentOfA() const;
  double ContainmentOfB() const;
  // Resemblance() ≥ threshold, and not both empty.
  bool Reaches(double threshold) const {
    return ReachesThreshold(shared, a + b - shared, threshold);
  }

  friend bool operator==(const SetOverlap&, const SetOverlap&) = default;
};

// Both ascending and distinct.
SetOverlap ComputeOverlap(std::span<const uint64_t> a, std::span<const uint64_t> b);

// Equal to ComputeOverlap(a, b).Reaches(threshold), but stops as soon as the elements left cannot
// bring the sets to the threshold: of sets of hashes, which spread evenly, a tenth of a pair far
// below it is read.
bool SetsReachThreshold(std::span<const uint64_t> a, std::span<const uint64_t> b, double threshold);

// True when the share of `a` that is in `b` reaches `threshold` in (0, 1]; equal to
// ContainmentReaches of ComputeOverlap(a, b), but stops as soon as the answer is known: of a far
// pair after a tenth or so more than the share of `a` that may be missing. A `b` much larger than
// `a` costs a search for each element of `a`.
bool SetContains(std::span<const uint64_t> a, std::span<const uint64_t> b, double threshold);

// True when sets of these sizes can have resemblance ≥ threshold at all: exact, so that it never
// rejects a pair that ReachesThreshold accepts, and accepts none that cannot reach it.
bool SizesAllow(uint64_t a_size, uint64_t b_size, double threshold);

}  // namespace zhiwen

#endif  // ZHIWEN_MATCH_SIMILARITY_H_
