#ifndef ZHIWEN_INDEX_THRESHOLDS_CONTAINMENT_THRESHOLD_H_
#define ZHIWEN_INDEX_THRESHOLDS_CONTAINMENT_THRESHOLD_H_

// The one definition of "containment ≥ threshold": every filter and every verification derives from
// ContainmentReaches. resemblance_threshold.h does the same for resemblance.
//
// Guarantees  correctly rounded division, hence monotone: 4/5 reaches 0.8, 2/3 reaches 2.0 / 3.0
// Threads     pure functions

#include <algorithm>
#include <cstdint>

#include "index/thresholds/resemblance_threshold.h"

namespace zhiwen {

// A text of a corpus with fewer distinct shingles than this is contained in no other document: so
// short a text is a phrase that many documents share. Only an equal text removes it.
inline constexpr uint32_t kLeastContainedSize = 20;

// Returns whether shared / size ≥ threshold; an empty set (size = 0) is contained in nothing.
inline bool ContainmentReaches(uint64_t shared, uint64_t size, double threshold) {
  return ReachesThreshold(shared, size, threshold);
}

// Returns the fewest elements that a set of `size` must share to be contained at `threshold` in
// (0, 1]: 1 to size, and 1, which it does not have, for the empty set.
inline uint64_t RequiredShared(uint64_t size, double threshold) {
  if (size == 0) return 1;
  uint64_t shared =
      std::clamp<uint64_t>(static_cast<uint64_t>(threshold * static_cast<double>(size)), 1, size);
  while (shared > 1 && ContainmentReaches(shared - 1, size, threshold)) --shared;
  while (shared < size && !ContainmentReaches(shared, size, threshold)) ++shared;
  return shared;
}

// Returns the size of the largest set of which `shared` elements reach `threshold`, but at most
// `limit`.
inline uint64_t LargestReached(uint64_t shared, double threshold, uint64_t limit) {
  const double estimate = static_cast<double>(shared) / threshold;
  uint64_t size = estimate < static_cast<double>(limit) ? static_cast<uint64_t>(estimate) : limit;
  while (size < limit && ContainmentReaches(shared, size + 1, threshold)) ++size;
  while (size > shared && !ContainmentReaches(shared, size, threshold)) --size;
  return size;
}

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_THRESHOLDS_CONTAINMENT_THRESHOLD_H_
