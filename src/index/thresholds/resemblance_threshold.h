#ifndef ZHIWEN_INDEX_THRESHOLDS_RESEMBLANCE_THRESHOLD_H_
#define ZHIWEN_INDEX_THRESHOLDS_RESEMBLANCE_THRESHOLD_H_

// The one definition of "resemblance ≥ threshold": every filter and every verification derives from
// ReachesThreshold, so that no filter loses a pair that stands exactly at the threshold.
//
// Guarantees  division is correctly rounded, hence monotone: of two fractions the smaller never
//             reaches a threshold that the larger misses; 4/5 reaches 0.8, 2/3 reaches 2.0 / 3.0
// Threads     pure functions

#include <algorithm>
#include <cstdint>

namespace zhiwen {

// Returns whether shared / united ≥ threshold; two empty sets (united = 0) never reach a threshold.
inline bool ReachesThreshold(uint64_t shared, uint64_t united, double threshold) {
  return united != 0 && static_cast<double>(shared) / static_cast<double>(united) >= threshold;
}

// Returns the fewest shared elements with which sets of these sizes reach `threshold`, or a number
// above the smaller size when they cannot.
inline uint64_t RequiredOverlap(uint64_t a_size, uint64_t b_size, double threshold) {
  const uint64_t sum = a_size + b_size;
  const uint64_t smaller = std::min(a_size, b_size);
  const double estimate = threshold / (1 + threshold) * static_cast<double>(sum);
  uint64_t shared = std::min(static_cast<uint64_t>(estimate), smaller);
  while (shared > 0 && ReachesThreshold(shared - 1, sum - (shared - 1), threshold)) --shared;
  while (shared <= smaller && !ReachesThreshold(shared, sum - shared, threshold)) ++shared;
  return shared;
}

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_THRESHOLDS_RESEMBLANCE_THRESHOLD_H_
