#include "index/thresholds/containment_threshold.h"

#include <gtest/gtest.h>

namespace zhiwen {
namespace {

TEST(ContainmentThreshold, FractionsAtTheThresholdReachIt) {
  EXPECT_TRUE(ContainmentReaches(16, 20, 0.8));
  EXPECT_TRUE(ContainmentReaches(2, 3, 2.0 / 3.0));
  EXPECT_TRUE(ContainmentReaches(9, 9, 1));
  EXPECT_TRUE(ContainmentReaches(1, 1'000'000, 1e-6));
  EXPECT_FALSE(ContainmentReaches(15, 20, 0.8));
  EXPECT_FALSE(ContainmentReaches(8, 9, 1));
}

TEST(ContainmentThreshold, TheEmptySetIsContainedInNothing) {
  EXPECT_FALSE(ContainmentReaches(0, 0, 0.01));
  EXPECT_EQ(RequiredShared(0, 0.01), 1u);
}

TEST(ContainmentThreshold, RequiredSharedIsTheFewestThatReaches) {
  for (const double threshold : {1e-9, 0.01, 0.1, 1.0 / 3.0, 0.5, 2.0 / 3.0, 0.8, 0.9, 0.99, 1.0}) {
    for (uint64_t size = 1; size <= 300; ++size) {
      const uint64_t required = RequiredShared(size, threshold);
      ASSERT_TRUE(ContainmentReaches(required, size, threshold)) << size << ' ' << threshold;
      ASSERT_TRUE(required == 1 || !ContainmentReaches(required - 1, size, threshold))
          << size << ' ' << threshold;
    }
  }
}

}  // namespace
}  // namespace zhiwen
