#include "match/level_similarity.h"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

namespace zhiwen {
namespace {

using Levels = std::vector<LevelFeatures>;

LevelSimilarity ComputeFilteredLevelSimilarity(const Levels& source, const Levels& page,
                                               double threshold, double false_positives = 1e-4) {
  return FilteredPage(source, false_positives).Compare(page, threshold);
}

TEST(LevelSimilarity, IsTheShareOfLevelsThatAreAlike) {
  const Levels a = {{1, 2, 3, 4}, {5, 6}, {}, {7}};
  const Levels b = {{4, 3, 2, 9}, {}, {}, {7}, {8}};
  const LevelSimilarity result = ComputeLevelSimilarity(a, b, 0.7);
  EXPECT_EQ(result.levels, (std::vector<std::optional<double>>{0.75, 0, std::nullopt, 1, 0}));
  EXPECT_EQ(result.alike, 2u);
  EXPECT_EQ(result.of_a, 3u);
  EXPECT_EQ(result.of_b, 3u);
  EXPECT_DOUBLE_EQ(*result.Similarity(), 2 * 2 / 6.0);
  // A similarity equal to the threshold is not above it.
  EXPECT_EQ(ComputeLevelSimilarity(a, b, 0.75).alike, 1u);
}

TEST(LevelSimilarity, CountsRepeatsAsOftenAsBothHaveThem) {
  const Levels a = {{1, 1, 1, 2}};
  const Levels b = {{1, 1, 3}};
  EXPECT_DOUBLE_EQ(*ComputeLevelSimilarity(a, b, 0).levels[0], 2 * 2 / 7.0);
  EXPECT_DOUBLE_EQ(*ComputeLevelSimilarity(a, b, 0, RepeatedFeatures::kDistinct).levels[0],
                   2 * 1 / 4.0);
}

TEST(LevelSimilarity, OfPagesWithoutStringsIsNone) {
  EXPECT_EQ(ComputeLevelSimilarity({}, {}, 0.5).Similarity(), std::nullopt);
  EXPECT_EQ(ComputeLevelSimilarity(Levels{{}}, Levels{{}, {}}, 0.5).Similarity(), std::nullopt);
  EXPECT_EQ(ComputeLevelSimilarity(Levels{{1}}, {}, 0.5).Similarity(), 0);
}

// With the thresholds of the source (0.9 of the levels), one unlike level is tolerated from eleven
// levels on.
TEST(LevelSimilarity, OneUnlikeLevelIsTooMuchForFewLevels) {
  for (size_t levels = 1; levels <= 20; ++levels) {
    const Levels a(levels, {1, 2, 3});
    Levels b = a;
    b[0] = {4, 5, 6};
    EXPECT_EQ(*ComputeLevelSimilarity(a, b, 0.9).Similarity() > 0.9, levels > 10) << levels;
    EXPECT_EQ(ComputeLevelSimilarity(b, a, 0.9).Similarity(),
              ComputeLevelSimilarity(a, b, 0.9).Similarity());
  }
}

TEST(LevelSimilarity, OfSortedLevelsIsTheSame) {
  std::mt19937 random(3);
  const auto draw = [&] {
    Levels levels(random() % 6);
    for (LevelFeatures& level : levels) {
      level.resize(random() % 9);
      for (uint64_t& string : level) string = random() % 7;
      std::ranges::sort(level);
    }
    return levels;
  };
  for (int i = 0; i < 20000; ++i) {
    const Levels a = draw(), b = draw();
    const double threshold = static_cast<double>(random() % 100) / 100;
    EXPECT_EQ(SimilarityOfSortedLevels(a, b, threshold),
              ComputeLevelSimilarity(a, b, threshold).Similarity());
  }
}

TEST(FilteredLevelSimilarity, EveryStringThatTheSourceHasCounts) {
  const Levels source = {{1, 2, 3}};
  const Levels page = {{1, 1, 1, 1}};
  // Four of the page's strings are in the source, which has three.
  EXPECT_DOUBLE_EQ(*ComputeFilteredLevelSimilarity(source, page, 0, 0).levels[0], 2 * 3 / 7.0);
  EXPECT_DOUBLE_EQ(*ComputeFilteredLevelSimilarity(page, source, 0, 0).levels[0], 2 * 1 / 7.0);
  EXPECT_DOUBLE_EQ(*ComputeLevelSimilarity(source, page, 0).levels[0], 2 * 1 / 7.0);
}

Levels RandomLevels(std::mt19937& random, bool is_distinct) {
  Levels levels(random() % 5);
  for (LevelFeatures& level : levels) {
    level.resize(random() % 30);
    for (size_t i = 0; i < level.size(); ++i) {
      level[i] = is_distinct ? 2 * i + random() % 2 : random() % 40;
    }
  }
  return levels;
}

TEST(FilteredLevelSimilarity, OfDistinctStringsIsTheExactOne) {
  std::mt19937 random(29);
  for (int round = 0; round < 500; ++round) {
    const Levels a = RandomLevels(random, true), b = RandomLevels(random, true);
    EXPECT_EQ(ComputeFilteredLevelSimilarity(a, b, kAlikeLevel, 0).levels,
              ComputeLevelSimilarity(a, b, kAlikeLevel).levels);
  }
}

TEST(FilteredLevelSimilarity, AFilterMissesNothingAndSaysRarelyTooMuch) {
  std::mt19937_64 random(29);
  uint64_t passed = 0;
  constexpr uint64_t kStrings = 400'000;
  for (int round = 0; round < 200; ++round) {
    Levels source(1), page(1);
    for (int i = 0; i < 20; ++i) source[0].push_back(random());
    EXPECT_EQ(*ComputeFilteredLevelSimilarity(source, source, kAlikeLevel).Similarity(), 1);
    for (uint64_t i = 0; i < kStrings / 200; ++i) page[0].push_back(random());
    const double similarity = *ComputeFilteredLevelSimilarity(source, page, 0).levels[0];
    passed += static_cast<uint64_t>(similarity * (20.0 + kStrings / 200.0) / 2 + 0.5);
  }
  EXPECT_GT(passed, 5U);  // 40 are expected
  EXPECT_LT(passed, 160U);
}

// At the false positives of the source's filters hardly a decision differs, also around the
// threshold.
TEST(FilteredLevelSimilarity, FiltersDecideAsSetsDo) {
  std::mt19937_64 random(29);
  int alike = 0, differ = 0;
  for (int round = 0; round < 2000; ++round) {
    Levels source(1), page(1);
    for (int i = 0; i < 50; ++i) {
      source[0].push_back(random());
      page[0].push_back(random() % 100 < 92 ? source[0].back() : random());
    }
    const size_t exact = ComputeFilteredLevelSimilarity(source, page, kAlikeLevel, 0).alike;
    alike += static_cast<int>(exact);
    differ += ComputeFilteredLevelSimilarity(source, page, kAlikeLevel).alike == exact ? 0 : 1;
  }
  EXPECT_GT(alike, 500);
  EXPECT_LT(alike, 1500);
  EXPECT_LT(differ, 10);
}

}  // namespace
}  // namespace zhiwen
