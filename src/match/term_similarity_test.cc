#include "match/term_similarity.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

namespace zhiwen {
namespace {

using TermMeasure = double (*)(TermSpan, TermSpan);

constexpr std::array<TermMeasure, 7> kTermMeasures = {
    TermCosine,      TermDotProduct, TermCorrelation, TermGeometricMinimum, TermArithmeticMinimum,
    TermExponential, TermScam};

const WeightedTerms kA = {{"甲", 3}, {"乙", 4}, {"丙", 1}};
const WeightedTerms kB = {{"乙", 4}, {"丁", 3}, {"丙", 1}};  // in another order

TEST(TermSimilarity, IsWhatItsFormulaSays) {
  EXPECT_DOUBLE_EQ(TermCosine(kA, kB), 17.0 / 26);
  EXPECT_DOUBLE_EQ(TermDotProduct(kA, kB), 17.0 / 64);
  EXPECT_DOUBLE_EQ(TermArithmeticMinimum(kA, kB), 5.0 / 8);
  EXPECT_DOUBLE_EQ(TermGeometricMinimum(kA, kB), 1);  // shared terms weigh the same
  EXPECT_DOUBLE_EQ(TermScam(kA, kB), 17.0 / 26);
  // The weights are x: 3 4 1 0 and y: 0 4 1 3, both with mean 2.
  EXPECT_DOUBLE_EQ(TermCorrelation(kA, kB), (-2.0 + 4 + 1 - 2) / 10);
  EXPECT_DOUBLE_EQ(TermExponential(kA, kB), (2 + 2 * std::exp(-3)) / 4);
  const WeightedTerms twice = {{"甲", 2}};
  const WeightedTerms once = {{"甲", 1}, {"乙", 1}};
  EXPECT_DOUBLE_EQ(TermGeometricMinimum(twice, once), 0.5 / std::sqrt(0.5));
  // Shares of 1 and 1/2 differ by 2/3 of their mean.
  EXPECT_DOUBLE_EQ(TermExponential(twice, once), (std::exp(-1.0 / 3) + std::exp(-3)) / 2);
  // The ratio sum 2/1 + 1/2 is not below 2.5.
  EXPECT_DOUBLE_EQ(TermScam(twice, once), 0);
}

// When one text contains all of another and more, SCAM measures the share of the smaller one.
TEST(TermSimilarity, ScamIsAShareOfTheSmallerOne) {
  const WeightedTerms small = {{"甲", 1}, {"乙", 1}};
  const WeightedTerms large = {{"甲", 1}, {"乙", 1}, {"丙", 5}, {"丁", 5}};
  EXPECT_DOUBLE_EQ(TermScam(small, large), 1);
  EXPECT_LT(TermCosine(small, large), 0.3);
}

TEST(TermSimilarity, IsSymmetricAndOneOfTheSame) {
  std::mt19937 random(1);
  const auto draw = [&] {
    WeightedTerms terms;
    for (char name = 'a'; name < 'k'; ++name) {
      if (random() % 2 == 0) terms.push_back({std::string(1, name), 1 + random() % 9});
    }
    return terms;
  };
  for (int round = 0; round < 500; ++round) {
    const WeightedTerms a = draw();
    const WeightedTerms b = draw();
    for (const TermMeasure similarity : kTermMeasures) {
      EXPECT_DOUBLE_EQ(similarity(a, b), similarity(b, a));
      EXPECT_LE(similarity(a, b), 1);
      EXPECT_GE(similarity(a, b), similarity == TermCorrelation ? -1 : 0);
      if (a.empty() || b.empty()) {
        EXPECT_EQ(similarity(a, b), 0);
      }
      if (a.empty() || similarity == TermDotProduct) continue;
      const bool is_flat = std::ranges::all_of(
          a, [&](const WeightedTerm& term) { return term.weight == a[0].weight; });
      if (similarity == TermCorrelation && is_flat) {
        EXPECT_EQ(similarity(a, a), 0);
        continue;
      }
      EXPECT_EQ(similarity(a, a), 1);
    }
  }
}

TEST(TermSimilarity, OfNothingIsZero) {
  const WeightedTerms weightless = {{"甲", 0}};
  for (const TermMeasure similarity : kTermMeasures) {
    EXPECT_EQ(similarity({}, {}), 0);
    EXPECT_EQ(similarity(kA, {}), 0);
    EXPECT_EQ(similarity(weightless, kA), 0);
  }
}

}  // namespace
}  // namespace zhiwen
