#ifndef ZHIWEN_PIPELINE_EVALUATE_RANKING_H_
#define ZHIWEN_PIPELINE_EVALUATE_RANKING_H_

// Pairs by their similarities: what each threshold makes of them.
//
// In          the similarities of copies and of others, in any order
// Guarantees  equal similarities are one point: figures do not depend on the order of pairs
// Cost        n log n to make; linear after that

#include <cstdint>
#include <optional>
#include <vector>

#include "zhiwen/evaluation.h"

namespace zhiwen {

// Pairs whose similarity is at least `similarity`.
struct RankPoint {
  float similarity = 0;
  uint64_t copies = 0, others = 0;
};

class Ranking {
 public:
  Ranking(std::vector<float> copies, std::vector<float> others);

  uint64_t copies() const { return copies_; }
  uint64_t others() const { return others_; }

  PairDecisions At(double threshold) const;

  // Those of EvaluationRow.
  std::optional<double> BestThreshold() const;
  std::optional<double> Area() const;

  // At most `count` + 2 of the points, about as far apart in recall; the first and the last are
  // among them. None where there are no copies.
  std::vector<CurvePoint> Curve(size_t count) const;

 private:
  // From the highest similarity on, each with more pairs than the one before.
  std::vector<RankPoint> points_;
  uint64_t copies_ = 0, others_ = 0;
};

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_EVALUATE_RANKING_H_
