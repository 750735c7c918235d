#include "index/bands/band_plan.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <set>
#include <vector>

namespace zhiwen {
namespace {

TEST(BandPlan, CandidateProbabilityIsTheFormula) {
  for (const double s : {0.1, 0.3, 0.5, 0.7, 0.8, 0.9}) {
    EXPECT_NEAR(CandidateProbability({25, 5}, s), 1 - std::pow(1 - std::pow(s, 5), 25), 1e-12);
    EXPECT_NEAR(MissProbability({25, 5}, s), std::pow(1 - std::pow(s, 5), 25), 1e-12);
  }
}

TEST(BandPlan, CandidateProbabilityKeepsItsDigitsAtTheEnds) {
  EXPECT_EQ(CandidateProbability({25, 5}, 0), 0);
  EXPECT_EQ(CandidateProbability({25, 5}, 1), 1);
  EXPECT_EQ(MissProbability({25, 5}, 1), 0);
  EXPECT_EQ(MissProbability({25, 5}, 0), 1);
  EXPECT_EQ(CandidateProbability({25, 5}, -0.5), 0);
  EXPECT_EQ(CandidateProbability({25, 5}, 1.5), 1);
  // The value is 25 · 10⁻⁵⁰, for which 1 − (1 − x) would be 0.
  EXPECT_NEAR(CandidateProbability({25, 5}, 1e-10) / 25e-50, 1, 1e-9);
  // The value is (5 · 10⁻¹⁰)⁴, for which 1 − x⁵ would lose half of its digits.
  EXPECT_NEAR(MissProbability({4, 5}, 1 - 1e-10) / std::pow(5e-10, 4), 1, 1e-6);
}

TEST(BandPlan, TheFormulaAgreesWithSimulatedSignatures) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(0, 1);
  constexpr int kTrials = 20000;
  const BandPlan plan{6, 3};
  for (const double s : {0.3, 0.5, 0.7}) {
    int candidates = 0;
    std::vector<uint64_t> keys_a(plan.bands), keys_b(plan.bands);
    for (int trial = 0; trial < kTrials; ++trial) {
      std::vector<uint32_t> a, b;
      for (uint32_t i = 0; i < plan.signature_size(); ++i) {
        a.push_back(static_cast<uint32_t>(random()));
        b.push_back(uniform(random) < s ? a.back() : static_cast<uint32_t>(random()));
      }
      ComputeBandKeys(plan, a, keys_a);
      ComputeBandKeys(plan, b, keys_b);
      bool meets = false;
      for (uint32_t band = 0; band < plan.bands; ++band) meets |= keys_a[band] == keys_b[band];
      candidates += meets ? 1 : 0;
    }
    const double expected = CandidateProbability(plan, s);
    const double deviation = std::sqrt(expected * (1 - expected) / kTrials);
    EXPECT_NEAR(candidates / double{kTrials}, expected, 5 * deviation) << s;
  }
}

TEST(BandPlan, PlansReachTheRecallWithTheMostRowsAndFewestBands) {
  for (double threshold = 0.7; threshold < 0.995; threshold += 0.01) {
    const auto plan = PlanBands(threshold, 0.9999, 128);
    ASSERT_TRUE(plan) << plan.error().message;
    EXPECT_LE(plan->signature_size(), 128u);
    EXPECT_GE(CandidateProbability(*plan, threshold), 0.9999);
    EXPECT_LT(CandidateProbability({plan->bands - 1, plan->rows}, threshold), 0.9999);
    for (uint32_t rows = plan->rows + 1; rows <= 128; ++rows) {
      EXPECT_LT(CandidateProbability({128 / rows, rows}, threshold), 0.9999) << rows;
    }
  }
}

TEST(BandPlan, KnownPlans) {
  EXPECT_EQ(*PlanBands(0.8, 0.9999, 128), (BandPlan{24, 5}));
  EXPECT_EQ(*PlanBands(0.7, 0.9999, 128), (BandPlan{22, 3}));
  EXPECT_EQ(*PlanBands(1, 0.9999, 128), (BandPlan{1, 128}));
}

TEST(BandPlan, ImpossiblePlansAreRefused) {
  EXPECT_FALSE(PlanBands(0.8, 0.9999, 4));
  EXPECT_FALSE(PlanBands(0.8, 0.9999, 0));
  EXPECT_FALSE(PlanBands(0, 0.9999, 128));
  EXPECT_FALSE(PlanBands(1.01, 0.9999, 128));
  EXPECT_FALSE(PlanBands(std::nan(""), 0.9999, 128));
  EXPECT_FALSE(PlanBands(0.8, 1, 128));
  EXPECT_FALSE(PlanBands(0.8, 0, 128));
}

TEST(BandPlan, KeysDifferWithTheBandAndWithEachValue) {
  const BandPlan plan{3, 2};
  std::set<uint64_t> seen;
  for (uint32_t changed = 0; changed < 6; ++changed) {
    std::vector<uint32_t> signature(6, 7);
    signature[changed] = 8;
    std::vector<uint64_t> keys(3);
    ComputeBandKeys(plan, signature, keys);
    seen.insert(keys.begin(), keys.end());
  }
  EXPECT_EQ(seen.size(), 9u);  // per band: unchanged, first changed, second changed
}

TEST(BandPlan, OnlyBandsWithoutAnyMinimumHaveNoKey) {
  std::vector<uint32_t> signature(6, UINT32_MAX);
  signature[3] = 5;
  std::vector<uint64_t> keys(3);
  ComputeBandKeys({3, 2}, signature, keys);
  EXPECT_EQ(keys[0], kNoBandKey);
  EXPECT_NE(keys[1], kNoBandKey);
  EXPECT_EQ(keys[2], kNoBandKey);
}

}  // namespace
}  // namespace zhiwen
