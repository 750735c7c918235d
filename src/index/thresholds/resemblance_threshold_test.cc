#include "index/thresholds/resemblance_threshold.h"

#include <gtest/gtest.h>

namespace zhiwen {
namespace {

TEST(ResemblanceThreshold, FractionsAtTheThresholdReachIt) {
  EXPECT_TRUE(ReachesThreshold(4, 5, 0.8));
  EXPECT_TRUE(ReachesThreshold(8000, 10000, 0.8));
  EXPECT_TRUE(ReachesThreshold(7, 10, 0.7));
  EXPECT_TRUE(ReachesThreshold(2, 3, 2.0 / 3.0));
  EXPECT_TRUE(ReachesThreshold(17, 20, 0.85));
  EXPECT_TRUE(ReachesThreshold(9, 9, 1));
  EXPECT_FALSE(ReachesThreshold(7999, 10000, 0.8));
  EXPECT_FALSE(ReachesThreshold(8, 9, 1));
}

TEST(ResemblanceThreshold, EmptySetsNeverReachOne) { EXPECT_FALSE(ReachesThreshold(0, 0, 0.5)); }

TEST(ResemblanceThreshold, RequiredOverlapIsTheSmallestThatReaches) {
  for (const double threshold : {0.1, 0.5, 2.0 / 3.0, 0.7, 0.75, 0.8, 0.85, 0.9, 1.0}) {
    for (uint64_t a = 0; a <= 40; ++a) {
      for (uint64_t b = 0; b <= 40; ++b) {
        const uint64_t smaller = std::min(a, b);
        uint64_t expected = 0;
        while (expected <= smaller && !ReachesThreshold(expected, a + b - expected, threshold)) {
          ++expected;
        }
        EXPECT_EQ(RequiredOverlap(a, b, threshold), expected) << a << ' ' << b << ' ' << threshold;
      }
    }
  }
}

}  // namespace
}  // namespace zhiwen
