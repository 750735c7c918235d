#include "pipeline/evaluate/ranking.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <tuple>
#include <utility>

namespace zhiwen {
namespace {

using ::testing::ElementsAre;
using Pairs = std::vector<std::pair<float, bool>>;  // similarity, whether it is a copy

Ranking RankingOf(const Pairs& pairs) {
  std::vector<float> copies, others;
  for (const auto& [similarity, is_copy] : pairs) {
    (is_copy ? copies : others).push_back(similarity);
  }
  return {copies, others};
}

// By going through all pairs once more for each question.
PairDecisions Decide(const Pairs& pairs, float threshold) {
  PairDecisions out;
  for (const auto& [similarity, is_copy] : pairs) {
    if (is_copy) ++(similarity >= threshold ? out.found : out.missed);
    if (!is_copy) ++(similarity >= threshold ? out.mistaken : out.refused);
  }
  return out;
}

std::set<float, std::greater<>> Distinct(const Pairs& pairs) {
  std::set<float, std::greater<>> out;
  for (const auto& pair : pairs) out.insert(pair.first);
  return out;
}

double SlowArea(const Pairs& pairs) {
  double area = 0, recall_before = 0;
  for (const float threshold : Distinct(pairs)) {
    const PairDecisions at = Decide(pairs, threshold);
    const double tp = static_cast<double>(at.found);
    const double recall = tp / static_cast<double>(at.found + at.missed);
    area += (recall - recall_before) * tp / static_cast<double>(at.found + at.mistaken);
    recall_before = recall;
  }
  return area;
}

// The harmonic mean of precision and recall.
double SlowF1(const PairDecisions& at) {
  if (at.found == 0) return 0;
  const double tp = static_cast<double>(at.found);
  const double precision = tp / static_cast<double>(at.found + at.mistaken);
  const double recall = tp / static_cast<double>(at.found + at.missed);
  return 2 * precision * recall / (precision + recall);
}

TEST(Ranking, OfRandomPairsEqualsTheDefinitions) {
  std::mt19937 random(6);
  for (int round = 0; round < 300; ++round) {
    Pairs pairs = {{0.5F, true}, {0.25F, false}};
    const auto count = random() % 40;
    const auto levels = 1 + random() % 12;  // few of them make many ties
    for (unsigned i = 0; i < count; ++i) {
      const float level = static_cast<float>(random() % (levels + 1)) / static_cast<float>(levels);
      pairs.emplace_back(level, random() % 3 == 0);
    }
    const Ranking ranking = RankingOf(pairs);
    ASSERT_NEAR(*ranking.Area(), SlowArea(pairs), 1e-12);
    double best = -1;
    float best_threshold = 0;
    for (const float threshold : Distinct(pairs)) {
      ASSERT_EQ(ranking.At(threshold), Decide(pairs, threshold));
      const double f1 = SlowF1(Decide(pairs, threshold));
      ASSERT_NEAR(*ranking.At(threshold).F1(), f1, 1e-12);
      if (threshold <= 0 || f1 <= best + 1e-12) continue;
      best = f1;
      best_threshold = threshold;
    }
    ASSERT_EQ(ranking.BestThreshold(), best_threshold);
  }
}

// Copies at .9 .8 .8 .3, others at .8 .5 .3: precision 1, 3/4, 4/7 (worked by hand).
TEST(Ranking, OfKnownPairsHasTheFiguresThatAreWorkedByHand) {
  const Ranking ranking({0.9F, 0.8F, 0.8F, 0.3F}, {0.8F, 0.5F, 0.3F});
  EXPECT_DOUBLE_EQ(*ranking.Area(), (1 + 2 * 3.0 / 4 + 4.0 / 7) / 4);
  EXPECT_EQ(ranking.BestThreshold(), 0.8F);
  const PairDecisions at = ranking.At(0.8);
  EXPECT_EQ(at, (PairDecisions{.found = 3, .missed = 1, .mistaken = 1, .refused = 2}));
  EXPECT_DOUBLE_EQ(*at.FalsePositives(), 1.0 / 3);
  EXPECT_EQ(ranking.At(0.95),
            (PairDecisions{.found = 0, .missed = 4, .mistaken = 0, .refused = 3}));
  EXPECT_FALSE(ranking.At(0.95).Precision());
  EXPECT_THAT(ranking.Curve(100),
              ElementsAre(CurvePoint{0.25, 1}, CurvePoint{0.75, 0.75}, CurvePoint{1, 4.0 / 7}));
}

TEST(Ranking, OfOneLabelHasWhatThatCanSay) {
  const Ranking copies({0.5F, 0.0F}, {});
  EXPECT_FALSE(copies.Area());
  EXPECT_EQ(copies.BestThreshold(), 0.5F) << "a similarity of 0 finds nothing";
  EXPECT_FALSE(copies.At(0.5).FalsePositives());
  const Ranking others({}, {0.5F});
  EXPECT_FALSE(others.Area());
  EXPECT_FALSE(others.BestThreshold());
  EXPECT_FALSE(others.At(0.5).Recall());
  EXPECT_FALSE(others.At(0.5).F1());
  EXPECT_TRUE(others.Curve(10).empty());
  EXPECT_FALSE(Ranking({0.0F}, {0.0F}).BestThreshold());
  EXPECT_FALSE(Ranking({0.0F}, {0.5F}).BestThreshold()) << "no copy is above 0";
}

TEST(Ranking, ACurveOfManyPointsKeepsItsEnds) {
  std::vector<float> copies, others;
  for (int i = 0; i < 5000; ++i) (i % 2 == 0 ? copies : others).push_back(static_cast<float>(i));
  const std::vector<CurvePoint> curve = Ranking(copies, others).Curve(100);
  EXPECT_LE(curve.size(), 102);
  EXPECT_GE(curve.size(), 100);
  EXPECT_EQ(curve.back().recall, 1);
  EXPECT_TRUE(std::ranges::is_sorted(curve, {}, &CurvePoint::recall));
}

}  // namespace
}  // namespace zhiwen
