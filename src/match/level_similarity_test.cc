#include "match/level_similarity.h"

#include <gtest/gtest.h>

namespace zhiwen {
namespace {

using Levels = std::vector<LevelFeatures>;

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

}  // namespace
}  // namespace zhiwen
