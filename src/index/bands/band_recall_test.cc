// Measures the recall of dedup's bands from end to end: sets with an exact resemblance, their
// one-permutation MinHash, and the keys of the bands that the program plans at its default
// threshold.

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "fingerprint/one_permutation.h"
#include "index/bands/band_plan.h"

namespace zhiwen {
namespace {

constexpr double kRecall = 0.9999;

struct PairShape {
  size_t in_both = 0;    // shingles in the intersection
  size_t in_either = 0;  // shingles in the union
  double resemblance() const {
    return static_cast<double>(in_both) / static_cast<double>(in_either);
  }
};

// Returns how many of `trials` random pairs of `shape` agree in no band.
size_t CountMisses(const BandPlan& plan, const PairShape& shape, size_t trials) {
  const OnePermutationMinHash minhash = *OnePermutationMinHash::Create(plan.signature_size());
  std::mt19937_64 random(shape.in_either * 1000 + shape.in_both);
  std::vector<uint64_t> sets[2], keys[2];
  std::vector<uint32_t> values(plan.signature_size());
  size_t misses = 0;
  for (size_t trial = 0; trial < trials; ++trial) {
    sets[0].clear(), sets[1].clear();
    for (size_t i = 0; i < shape.in_either; ++i) {
      const uint64_t shingle = random();
      if (i < shape.in_both || i % 2 == 0) sets[0].push_back(shingle);
      if (i < shape.in_both || i % 2 == 1) sets[1].push_back(shingle);
    }
    for (size_t side = 0; side < 2; ++side) {
      keys[side].resize(plan.bands);
      minhash.Compute(sets[side], values);
      ComputeBandKeys(plan, values, keys[side]);
    }
    bool meets = false;
    for (uint32_t band = 0; band < plan.bands; ++band) meets |= keys[0][band] == keys[1][band];
    misses += meets ? 0 : 1;
  }
  return misses;
}

// Pairs of small sets are also found as often as 1 − (1 − sʳ)ᵇ says.
TEST(BandRecall, SlowIsAtLeastWhatTheFormulaSaysForUnionsOfEverySize) {
  const BandPlan plan = *PlanBands(0.8, kRecall, 128);
  for (const size_t size : {8, 12, 20, 50, 200, 2000}) {
    for (const double wanted : {0.3, 0.5, 0.8, 0.9}) {
      const PairShape shape = {static_cast<size_t>(std::lround(wanted * static_cast<double>(size))),
                               size};
      const size_t trials = size > 1000 ? 1000 : 5000;
      const double misses = MissProbability(plan, shape.resemblance());
      const double expected = misses * static_cast<double>(trials);
      EXPECT_LE(static_cast<double>(CountMisses(plan, shape, trials)),
                expected + 5 * std::sqrt(expected * (1 - misses)) + 2)
          << size << " shingles, resemblance " << shape.resemblance();
    }
  }
}

TEST(BandRecall, SlowReachesTheOneThatIsPlannedForAtTheThreshold) {
  const BandPlan plan = *PlanBands(0.8, kRecall, 128);
  for (const PairShape shape : {PairShape{4, 5}, {8, 10}, {16, 20}, {32, 40}, {80, 100}}) {
    const size_t trials = 200'000;
    EXPECT_LE(static_cast<double>(CountMisses(plan, shape, trials)), (1 - kRecall) * trials)
        << shape.in_either << " shingles";
  }
}

}  // namespace
}  // namespace zhiwen
