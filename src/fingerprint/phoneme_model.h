#ifndef ZHIWEN_FINGERPRINT_PHONEME_MODEL_H_
#define ZHIWEN_FINGERPRINT_PHONEME_MODEL_H_

// When two texts sound alike, after 金哲凡 et al. 2017, 基于音位的网络盗版文本查重方法.
//
//   model 1   the cosines of initials, finals and tones are each above a threshold
//   model 2   their weighted sum is, each weighing as much as it says: its entropy
//
// Guarantees  thresholds are exceeded strictly, as the source has it

#include <array>

#include "feature/phoneme_counts.h"

namespace zhiwen {

// Of initials, finals and tones.
using PhonemeTriple = std::array<double, 3>;

struct PhonemeModel {
  PhonemeTriple thresholds = {0.953, 0.932, 0.964};  // model 1, table 4 of the source
  PhonemeTriple weights = {0.3967, 0.4117, 0.1916};  // model 2, α β θ
  double similarity = 0.962;                         // its threshold

  bool Model1(const PhonemeTriple& cosines) const {
    return cosines[0] > thresholds[0] && cosines[1] > thresholds[1] && cosines[2] > thresholds[2];
  }
  double Similarity(const PhonemeTriple& cosines) const {
    return weights[0] * cosines[0] + weights[1] * cosines[1] + weights[2] * cosines[2];
  }
  bool Model2(const PhonemeTriple& cosines) const { return Similarity(cosines) > similarity; }
};

// In bits, of how often each is; 0 of nothing.
PhonemeTriple ComputeEntropies(const PhonemeCounts& counts);

// Each entropy as its share of all three.
PhonemeTriple WeightsOf(const PhonemeTriple& entropies);

// Of two texts; 0 where one has no phonemes.
PhonemeTriple ComputeCosines(const PhonemeCounts& a, const PhonemeCounts& b);

}  // namespace zhiwen

#endif  // ZHIWEN_FINGERPRINT_PHONEME_MODEL_H_
