#include "match/similarity.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <random>
#include <vector>

namespace zhiwen {
namespace {

std::vector<uint64_t> SubsetOf(unsigned bits) {
  std::vector<uint64_t> set;
  for (unsigned i = 0; i < 6; ++i) {
    if (bits >> i & 1) set.push_back(100 + i * i);
  }
  return set;
}

TEST(Similarity, CountsOfAllPairsOfSubsetsOfSixElements) {
  for (unsigned a = 0; a < 64; ++a) {
    for (unsigned b = 0; b < 64; ++b) {
      const auto set_a = SubsetOf(a), set_b = SubsetOf(b);
      const SetOverlap overlap = ComputeOverlap(set_a, set_b);
      EXPECT_EQ(overlap.a, static_cast<unsigned>(std::popcount(a)));
      EXPECT_EQ(overlap.b, static_cast<unsigned>(std::popcount(b)));
      EXPECT_EQ(overlap.shared, static_cast<unsigned>(std::popcount(a & b)));
    }
  }
}

TEST(Similarity, RatiosOfThreeOfFourAndThreeOfFive) {
  const SetOverlap overlap{.a = 4, .b = 5, .shared = 3};
  EXPECT_DOUBLE_EQ(overlap.Resemblance(), 0.5);
  EXPECT_DOUBLE_EQ(overlap.ContainmentOfA(), 0.75);
  EXPECT_DOUBLE_EQ(overlap.ContainmentOfB(), 0.6);
  EXPECT_TRUE(overlap.Reaches(0.5));
  EXPECT_FALSE(overlap.Reaches(0.51));
}

TEST(Similarity, EmptySetsResembleNothing) {
  const SetOverlap both_empty = ComputeOverlap({}, {});
  EXPECT_EQ(both_empty.Resemblance(), 0);
  EXPECT_EQ(both_empty.ContainmentOfA(), 0);
  EXPECT_FALSE(both_empty.Reaches(0.5));
  const std::vector<uint64_t> one = {7};
  EXPECT_EQ(ComputeOverlap({}, one).ContainmentOfB(), 0);
}

TEST(Similarity, SizesAllowExactlyWhatSomePairOfTheseSizesReaches) {
  for (const double threshold : {0.5, 2.0 / 3.0, 0.7, 0.75, 0.8, 0.85, 0.9, 1.0}) {
    for (uint64_t a = 0; a <= 60; ++a) {
      for (uint64_t b = 0; b <= 60; ++b) {
        bool reachable = false;
        for (uint64_t shared = 0; shared <= std::min(a, b); ++shared) {
          reachable |= SetOverlap{a, b, shared}.Reaches(threshold);
        }
        EXPECT_EQ(SizesAllow(a, b, threshold), reachable) << a << ' ' << b << ' ' << threshold;
      }
    }
  }
}

TEST(Similarity, StoppingEarlyNeverChangesTheAnswer) {
  for (unsigned a = 0; a < 64; ++a) {
    for (unsigned b = 0; b < 64; ++b) {
      for (const double threshold : {0.2, 0.5, 2.0 / 3.0, 0.75, 0.8, 1.0}) {
        const auto set_a = SubsetOf(a), set_b = SubsetOf(b);
        EXPECT_EQ(SetsReachThreshold(set_a, set_b, threshold),
                  ComputeOverlap(set_a, set_b).Reaches(threshold))
            << a << ' ' << b << ' ' << threshold;
      }
    }
  }
}

TEST(Similarity, StoppingEarlyNeverChangesTheAnswerOfLargeSetsAroundTheThreshold) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 300; ++round) {
    std::vector<uint64_t> common(100 + random() % 3000), a, b;
    for (uint64_t& value : common) value = random();
    a = b = common;
    const size_t edits = common.size() * (random() % 40) / 100;
    for (size_t i = 0; i < edits; ++i) (random() % 2 == 0 ? a : b).push_back(random());
    for (auto* set : {&a, &b}) {
      std::sort(set->begin(), set->end());
      set->erase(std::unique(set->begin(), set->end()), set->end());
    }
    const SetOverlap overlap = ComputeOverlap(a, b);
    for (const double threshold : {0.5, 0.8, overlap.Resemblance(), 0.95}) {
      EXPECT_EQ(SetsReachThreshold(a, b, threshold), overlap.Reaches(threshold));
    }
  }
}

TEST(Similarity, SetContainsEqualsTheCountsOfAllPairsOfSubsets) {
  for (unsigned a = 0; a < 64; ++a) {
    for (unsigned b = 0; b < 64; ++b) {
      for (const double threshold : {0.01, 0.2, 1.0 / 3.0, 0.5, 0.6, 2.0 / 3.0, 0.8, 1.0}) {
        const auto set_a = SubsetOf(a), set_b = SubsetOf(b);
        const SetOverlap overlap = ComputeOverlap(set_a, set_b);
        EXPECT_EQ(SetContains(set_a, set_b, threshold),
                  ContainmentReaches(overlap.shared, overlap.a, threshold))
            << a << ' ' << b << ' ' << threshold;
      }
    }
  }
}

TEST(Similarity, SlowSetContainsEqualsTheCountsOfLargeSetsAroundTheThreshold) {
  std::mt19937_64 random(6);
  for (int round = 0; round < 400; ++round) {
    const uint64_t range = round % 2 == 0 ? UINT64_MAX : 20'000;  // evenly spread, or dense
    const size_t shared = random() % 2000;
    std::vector<uint64_t> a, b;
    for (size_t i = 0; i < shared; ++i) a.push_back(random() % range);
    b = a;
    for (size_t i = random() % (shared / 2 + 2); i > 0; --i) a.push_back(random() % range);
    for (size_t i = random() % (round % 5 == 0 ? 100'000 : 500); i > 0; --i)
      b.push_back(random() % range);
    for (auto* set : {&a, &b}) {
      std::sort(set->begin(), set->end());
      set->erase(std::unique(set->begin(), set->end()), set->end());
    }
    const SetOverlap overlap = ComputeOverlap(a, b);
    for (const double threshold : {0.05, 0.5, 0.8, overlap.ContainmentOfA(), 0.95, 1.0}) {
      if (threshold == 0) continue;
      EXPECT_EQ(SetContains(a, b, threshold),
                ContainmentReaches(overlap.shared, overlap.a, threshold));
      EXPECT_EQ(SetContains(b, a, threshold),
                ContainmentReaches(overlap.shared, overlap.b, threshold));
    }
  }
}

}  // namespace
}  // namespace zhiwen
