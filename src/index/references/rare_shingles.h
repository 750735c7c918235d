#ifndef ZHIWEN_INDEX_REFERENCES_RARE_SHINGLES_H_
#define ZHIWEN_INDEX_REFERENCES_RARE_SHINGLES_H_

// How many of its rarest shingles a reference is indexed by, and how many of these an input that
// matches has: of n shingles it has at least r = ⌈t·n⌉, so of any n − r + m it has at least m.

#include <algorithm>
#include <cstdint>

#include "index/thresholds/containment_threshold.h"

namespace zhiwen {

struct RareShingles {
  uint64_t indexed = 0;
  uint64_t least_met = 0;

  static RareShingles For(uint64_t size, double threshold) {
    if (size == 0) return {0, 1};
    const uint64_t required = RequiredShared(size, threshold);
    const uint64_t least_met = std::min<uint64_t>(kLeastMet, required);
    return {size - required + least_met, least_met};
  }

 private:
  // With 1, every input that has a phrase of a reference is compared in full. News against 30,000
  // sentences of papers and manuals, per shingle: 1: 10.4 ns, 2: 4.3, 3: 3.7, 4: 3.1.
  static constexpr uint64_t kLeastMet = 4;
};

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_REFERENCES_RARE_SHINGLES_H_
