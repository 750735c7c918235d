#ifndef ZHIWEN_MATCH_PASSAGES_CHAINS_H_
#define ZHIWEN_MATCH_PASSAGES_CHAINS_H_

// Chains equal stretches that follow one another in both texts: what lies between two of them was
// edited. The dynamic programme is that of collinear chaining, M. Abouelhoda, E. Ohlebusch,
// "Chaining algorithms for multiple genome comparison", 2005, over a bounded number of stretches
// before each.
//
// In          stretches in the order of SeedMatcher, weights of the symbols of both texts
// Out         chains, the highest score first; none shares a stretch with another. The stretches of
//             a chain ascend and overlap in neither text
// Guarantees  the score of a chain is the weight of its symbols less a price for its gaps: a
// quarter
//             for each symbol that the shorter side of a gap has, 0.4 for each that the longer side
//             has more. A gap has at most kLongestGap symbols on either side
// Fails       not: where cancellation is requested, some chains are missing
// Cost        stretches · kMostPredecessors, which are fewer from two million stretches on
// Threads     free function

#include <cstdint>
#include <span>
#include <vector>

#include "match/passages/seed_matches.h"
#include "zhiwen/environment.h"

namespace zhiwen {

inline constexpr uint32_t kLongestGap = 40;
inline constexpr size_t kMostPredecessors = 200;

// Sums of the weights of the symbols before each place of a text, and of all at the end.
class WeightSums {
 public:
  explicit WeightSums(std::span<const float> weights);
  double Of(uint32_t begin, uint32_t end) const { return sums_[end] - sums_[begin]; }
  size_t symbols() const { return sums_.size() - 1; }

 private:
  std::vector<double> sums_;
};

struct BothWeights {
  const WeightSums& a;
  const WeightSums& b;

  // Returns what an equal stretch weighs: as much as on the side on which it says more.
  double Of(const SeedMatch& match) const;
};

struct Chain {
  std::vector<SeedMatch> matches;
  double score = 0;
};

std::vector<Chain> FindChains(std::span<const SeedMatch> matches, const BothWeights& weights,
                              double least_score, const Cancellation& cancellation);

// Returns the score of a chain of its stretches.
double ScoreOfChain(std::span<const SeedMatch> matches, const BothWeights& weights);

}  // namespace zhiwen

#endif  // ZHIWEN_MATCH_PASSAGES_CHAINS_H_
