#ifndef ZHIWEN_MATCH_SIMILARITY_H_
#define ZHIWEN_MATCH_SIMILARITY_H_

// Similarities of two shingle sets, one definition each. A. Broder, 1997, §2. Whether a resemblance
// or containment reaches a threshold is decided only in index/thresholds/resemblance_threshold.h
// and index/thresholds/containment_threshold.h.

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

// Both sets must be ascending and distinct.
SetOverlap ComputeOverlap(std::span<const uint64_t> a, std::span<const uint64_t> b);

// Equals ComputeOverlap(a, b).Reaches(threshold), but stops as soon as the remaining elements
// cannot bring the sets to the threshold. Hashes spread evenly, so for a pair far below the
// threshold about a tenth of both sets is read.
bool SetsReachThreshold(std::span<const uint64_t> a, std::span<const uint64_t> b, double threshold);

// Returns true when the share of `a` that is in `b` reaches `threshold`, which is in (0, 1]. Equals
// ContainmentReaches of ComputeOverlap(a, b), but stops as soon as the answer is known: for a pair
// far below the threshold, after about a tenth more than the share of `a` that may be missing. A
// `b` much larger than `a` costs one search for each element of `a`.
bool SetContains(std::span<const uint64_t> a, std::span<const uint64_t> b, double threshold);

// Returns true when sets of these sizes can have resemblance ≥ threshold. The test is exact: it
// never rejects a pair that ReachesThreshold accepts, and never accepts sizes that cannot reach the
// threshold.
bool SizesAllow(uint64_t a_size, uint64_t b_size, double threshold);

}  // namespace zhiwen

#endif  // ZHIWEN_MATCH_SIMILARITY_H_
