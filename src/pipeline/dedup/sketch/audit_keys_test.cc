#include "pipeline/dedup/sketch/audit_keys.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <random>
#include <set>

#include "kernels/kernels.h"

namespace zhiwen {
namespace {

std::vector<uint32_t> KeysOf(const AuditKeyPlan& plan, const std::vector<uint64_t>& shingles) {
  std::vector<uint32_t> keys(plan.keys);
  AuditKeyMaker(plan).FromShingles(shingles, 0, keys);
  std::erase(keys, kNoAuditKey);
  return keys;
}

uint32_t Shared(std::vector<uint32_t> a, std::vector<uint32_t> b) {
  std::ranges::sort(a);
  std::ranges::sort(b);
  std::vector<uint32_t> both;
  std::ranges::set_intersection(a, b, std::back_inserter(both));
  return static_cast<uint32_t>(both.size());
}

struct Pair {
  std::vector<uint64_t> a, b;
};

// Two random sets of which `shared` of `united` elements are common; the others are divided.
Pair MakePair(std::mt19937_64& random, size_t united, size_t shared) {
  Pair pair;
  for (size_t i = 0; i < united; ++i) {
    const uint64_t shingle = random();
    if (i < shared || i % 2 == 0) pair.a.push_back(shingle);
    if (i < shared || i % 2 == 1) pair.b.push_back(shingle);
  }
  std::ranges::shuffle(pair.a, random);
  std::ranges::shuffle(pair.b, random);
  return pair;
}

TEST(AuditKeys, ThePlanMissesNoMorePairsAtTheThresholdThanItSays) {
  for (const double threshold : {0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0}) {
    const AuditKeyPlan plan = PlanAuditKeys(threshold);
    EXPECT_GE(plan.required, 1U);
    EXPECT_LE(plan.required, plan.keys);
    EXPECT_LE(BinomialBelow(plan.keys, threshold, plan.required), kAuditMiss) << threshold;
  }
  EXPECT_EQ(PlanAuditKeys(0.8).keys, 16U);
  EXPECT_EQ(PlanAuditKeys(0.8).required, 9U);
  EXPECT_NEAR(BinomialBelow(8, 0.8, 1), 2.56e-6, 1e-9);
}

// Documents with fewer keys that the other side may know are passed over.
TEST(AuditKeys, AMatchSharesNoFewerKeysThanOneOfAsManyKeys) {
  for (const double threshold : {0.05, 0.3, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0}) {
    const AuditKeyPlan plan = PlanAuditKeys(threshold);
    for (uint32_t a = 1; a <= plan.keys; ++a) {
      for (uint32_t b = 1; b <= plan.keys; ++b) {
        EXPECT_GE(plan.Required(a, b), plan.Required(a, a)) << threshold << ' ' << a << ' ' << b;
      }
    }
  }
}

// The largest key of a piece is the bound of the next one, and may be any number.
TEST(AuditKeys, KeysAreTheSmallestInTheirOrderAlsoWhereTheyArePowersOfTwo) {
  const AuditKeyPlan plan = PlanAuditKeys(0.8);
  for (int power = 6; power < 64; ++power) {
    // The largest of the smallest is 2^power; it comes again and again, and nothing is above it.
    const uint64_t largest = uint64_t{1} << power;
    std::set<uint64_t> orders{largest};
    for (uint64_t i = 0; orders.size() < plan.keys; ++i) orders.insert(i * 3);
    std::vector<uint64_t> shingles;
    for (int repeat = 0; repeat < 40; ++repeat) {
      // BottomOrder is its own inverse.
      for (const uint64_t order : orders) shingles.push_back(BottomOrder(order));
    }
    std::vector<uint32_t> keys(plan.keys);
    AuditKeyMaker maker(plan);
    maker.Begin();
    for (const uint64_t shingle : shingles) maker.Add({&shingle, 1});
    maker.Finish(0, keys);
    size_t i = 0;
    for (const uint64_t order : orders) {
      EXPECT_EQ(keys[i++], std::max(static_cast<uint32_t>(order), kNoAuditKey + 1)) << power;
    }
  }
}

// At requirements that miss often enough to be measured.
TEST(AuditKeys, SlowPairsAtTheThresholdAreMissedNoMoreOftenThanTheBound) {
  constexpr int kPairs = 4000;
  std::mt19937_64 random(7);
  for (const size_t united : {40U, 100U, 1000U}) {
    const size_t shared = united * 4 / 5;
    const AuditKeyPlan plan = PlanAuditKeys(0.8);
    std::vector<int> below(plan.keys + 1);
    for (int i = 0; i < kPairs; ++i) {
      const Pair pair = MakePair(random, united, shared);
      const uint32_t both = Shared(KeysOf(plan, pair.a), KeysOf(plan, pair.b));
      ASSERT_GE(both, plan.required);
      for (uint32_t required = both + 1; required <= plan.keys; ++required) ++below[required];
    }
    for (uint32_t required = 1; required <= 13; ++required) {
      const double bound = BinomialBelow(plan.keys, 0.8, required) * kPairs;
      EXPECT_LE(below[required], bound + 4 * std::sqrt(bound) + 1) << united << ' ' << required;
    }
    EXPECT_GT(below[14], kPairs / 10);  // the test can see what it measures
  }
}

TEST(AuditKeys, SmallDocumentsShareAsManyKeysAsAMatchNeeds) {
  std::mt19937_64 random(8);
  const AuditKeyPlan plan = PlanAuditKeys(0.8);
  for (size_t united = 1; united < 40; ++united) {
    const size_t shared = (united * 4 + 4) / 5;
    for (int i = 0; i < 50; ++i) {
      const Pair pair = MakePair(random, united, shared);
      const auto a = KeysOf(plan, pair.a), b = KeysOf(plan, pair.b);
      EXPECT_GE(Shared(a, b),
                plan.Required(static_cast<uint32_t>(a.size()), static_cast<uint32_t>(b.size())))
          << united;
    }
  }
}

TEST(AuditKeys, AreTheSmallestWhateverTheOrderAndTheRepeats) {
  std::mt19937_64 random(9);
  const AuditKeyPlan plan = PlanAuditKeys(0.8);
  for (const size_t size : {1U, 5U, 16U, 17U, 40U, 200U, 5000U}) {
    std::vector<uint64_t> shingles(size);
    for (uint64_t& shingle : shingles) shingle = random();
    std::set<uint64_t> orders;
    for (const uint64_t shingle : shingles) orders.insert(BottomOrder(shingle));
    std::vector<uint32_t> expected;
    for (const uint64_t order : orders) {
      if (expected.size() < plan.keys) expected.push_back(static_cast<uint32_t>(order));
    }
    EXPECT_EQ(KeysOf(plan, shingles), expected) << size;
    const std::vector<uint64_t> once = shingles;
    for (int i = 0; i < 3; ++i) shingles.insert(shingles.end(), once.begin(), once.end());
    shingles.insert(shingles.end(), 1000, once.front());
    std::ranges::shuffle(shingles, random);
    EXPECT_EQ(KeysOf(plan, shingles), expected) << size;
  }
}

TEST(AuditKeys, OfDifferentGroupsHaveNothingInCommon) {
  std::mt19937_64 random(10);
  const AuditKeyPlan plan = PlanAuditKeys(0.8);
  std::vector<uint64_t> shingles(100);
  for (uint64_t& shingle : shingles) shingle = random();
  std::vector<uint32_t> a(plan.keys), b(plan.keys);
  AuditKeyMaker(plan).FromShingles(shingles, 12345, a);
  AuditKeyMaker(plan).FromShingles(shingles, random(), b);
  EXPECT_EQ(Shared(a, b), 0U);
}

}  // namespace
}  // namespace zhiwen
