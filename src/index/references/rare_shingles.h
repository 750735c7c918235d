#ifndef ZHIWEN_INDEX_REFERENCES_RARE_SHINGLES_H_
#define ZHIWEN_INDEX_REFERENCES_RARE_SHINGLES_H_

// Says by how many of its rarest shingles a reference is indexed, and how many of these a matching
// input has at least: it has r = ⌈t·n⌉ of all n shingles, so it has m of any n − r + m of them.

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
  // With 1, every input that has a phrase of a reference would be compared in full. Nanoseconds a
  // shingle, of news against 30,000 sentences of papers and manuals: 10.4 with 1, 4.3 with 2, 3.7
  // with 3, 3.1 with 4.
  static constexpr uint64_t kLeastMet = 4;
};

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_REFERENCES_RARE_SHINGLES_H_
