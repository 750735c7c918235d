#include "index/joins/prefix_join.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <set>

#include "index/thresholds/resemblance_threshold.h"

namespace zhiwen {
namespace {

using IndexPairs = std::vector<std::pair<uint32_t, uint32_t>>;

constexpr double kThresholds[] = {0.3, 0.5, 0.6, 2.0 / 3.0, 0.7, 0.75, 0.8, 0.85, 0.9, 1.0};

Result<PrefixJoin> MakeJoin(double threshold, const std::vector<ShingleSet>& sets,
                            size_t threads = 1) {
  const std::vector<std::span<const uint64_t>> views(sets.begin(), sets.end());
  const auto executor = MakeThreadPool(threads);
  return PrefixJoin::Create(threshold, views, *executor);
}

bool Matches(const ShingleSet& a, const ShingleSet& b, double threshold) {
  const ShingleSet pair[] = {a, b};
  return !BruteForceJoin(pair, threshold).empty();
}

// Counts the candidates of every set among those before it, and how many of them do not match.
IndexPairs CandidatePairs(PrefixJoin&& join) {
  IndexPairs pairs;
  PrefixJoin::Scratch scratch;
  std::vector<uint32_t> candidates;
  for (uint32_t id = 0; id < join.size(); ++id) {
    candidates.clear();
    join.AppendCandidates(id, 0, scratch, candidates);
    EXPECT_TRUE(std::is_sorted(candidates.begin(), candidates.end(), std::less_equal<>()));
    for (const uint32_t earlier : candidates) pairs.emplace_back(earlier, id);
    join.Insert(id);
  }
  return pairs;
}

IndexPairs VerifiedPairs(const std::vector<ShingleSet>& sets, double threshold) {
  auto join = MakeJoin(threshold, sets);
  EXPECT_TRUE(join);
  IndexPairs verified;
  for (const auto& [a, b] : CandidatePairs(*std::move(join))) {
    if (Matches(sets[a], sets[b], threshold)) verified.emplace_back(a, b);
  }
  std::sort(verified.begin(), verified.end());
  return verified;
}

ShingleSet RandomSet(std::mt19937_64& random, size_t size, uint64_t universe) {
  std::set<uint64_t> set;
  while (set.size() < size) set.insert(random() % universe);
  return {set.begin(), set.end()};
}

// Makes sets around a few centres, with a share of their shingles replaced.
std::vector<ShingleSet> ClusteredSets(uint64_t seed, size_t clusters, size_t copies) {
  std::mt19937_64 random(seed);
  std::vector<ShingleSet> sets;
  for (size_t cluster = 0; cluster < clusters; ++cluster) {
    const ShingleSet centre = RandomSet(random, 20 + random() % 80, UINT64_MAX);
    for (size_t copy = 0; copy < copies; ++copy) {
      std::set<uint64_t> set(centre.begin(), centre.end());
      for (size_t edits = random() % (centre.size() / 2); edits > 0; --edits) {
        if (random() % 2 == 0) set.erase(centre[random() % centre.size()]);
        if (random() % 2 == 0) set.insert(random());
      }
      sets.emplace_back(set.begin(), set.end());
    }
  }
  std::shuffle(sets.begin(), sets.end(), random);
  return sets;
}

TEST(PrefixJoin, EqualsBruteForceOnEveryFamilyOfSubsetsOfThree) {
  for (unsigned family = 0; family < 256; ++family) {
    std::vector<ShingleSet> sets;
    for (unsigned subset = 0; subset < 8; ++subset) {
      if ((family >> subset & 1) == 0) continue;
      ShingleSet set;
      for (unsigned i = 0; i < 3; ++i) {
        if (subset >> i & 1) set.push_back(i);
      }
      sets.push_back(set);
    }
    for (const double threshold : kThresholds) {
      ASSERT_EQ(VerifiedPairs(sets, threshold), BruteForceJoin(sets, threshold)) << family;
    }
  }
}

TEST(PrefixJoin, EqualsBruteForceOnTheFamilyOfAllSubsetsOfEight) {
  std::vector<ShingleSet> sets;
  for (unsigned subset = 0; subset < 256; ++subset) {
    ShingleSet set;
    for (unsigned i = 0; i < 8; ++i) {
      if (subset >> i & 1) set.push_back(uint64_t{i} << 40);
    }
    sets.push_back(set);
  }
  for (const double threshold : kThresholds) {
    EXPECT_EQ(VerifiedPairs(sets, threshold), BruteForceJoin(sets, threshold)) << threshold;
  }
}

TEST(PrefixJoin, EqualsBruteForceOnRandomFamiliesOfSmallSets) {
  std::mt19937_64 random(3);
  for (int trial = 0; trial < 300; ++trial) {
    std::vector<ShingleSet> sets;
    const uint64_t universe = 3 + random() % 30;
    for (int i = 0; i < 25; ++i) {
      sets.push_back(RandomSet(random, random() % std::min<uint64_t>(universe, 21), universe));
    }
    const double threshold = kThresholds[random() % std::size(kThresholds)];
    ASSERT_EQ(VerifiedPairs(sets, threshold), BruteForceJoin(sets, threshold)) << trial;
  }
}

TEST(PrefixJoin, EqualsBruteForceOnClusteredSets) {
  for (uint64_t seed = 0; seed < 5; ++seed) {
    const auto sets = ClusteredSets(seed, 8, 25);
    for (const double threshold : kThresholds) {
      const IndexPairs expected = BruteForceJoin(sets, threshold);
      ASSERT_FALSE(expected.empty() && threshold < 0.9);
      EXPECT_EQ(VerifiedPairs(sets, threshold), expected) << seed << ' ' << threshold;
    }
  }
}

TEST(PrefixJoin, SetsOfATemplateWithRareOwnShinglesAreNoCandidates) {
  std::mt19937_64 random(5);
  const ShingleSet common = RandomSet(random, 70, UINT64_MAX);
  std::vector<ShingleSet> sets;
  for (int i = 0; i < 100; ++i) {
    ShingleSet set = RandomSet(random, 30, UINT64_MAX);  // their resemblance is 70 / 130
    set.insert(set.end(), common.begin(), common.end());
    std::sort(set.begin(), set.end());
    sets.push_back(set);
  }
  EXPECT_TRUE(CandidatePairs(*MakeJoin(0.8, sets)).empty());
  EXPECT_EQ(CandidatePairs(*MakeJoin(0.5, sets)).size(), 100u * 99 / 2);
}

TEST(PrefixJoin, OnlyInsertedSetsFromTheFirstOnAreCandidates) {
  const std::vector<ShingleSet> sets(6, ShingleSet{1, 2, 3});
  auto join = MakeJoin(0.8, sets);
  join->Insert(0);
  join->Insert(2);
  join->Insert(3);
  PrefixJoin::Scratch scratch;
  std::vector<uint32_t> candidates = {99};
  join->AppendCandidates(5, 0, scratch, candidates);
  EXPECT_EQ(candidates, (std::vector<uint32_t>{99, 0, 2, 3}));
  candidates.clear();
  join->AppendCandidates(3, 2, scratch, candidates);
  EXPECT_EQ(candidates, (std::vector<uint32_t>{2}));
}

TEST(PrefixJoin, CandidatesAreTheSameForAnyNumberOfThreads) {
  const auto sets = ClusteredSets(9, 40, 30);
  const IndexPairs expected = CandidatePairs(*MakeJoin(0.7, sets, 1));
  EXPECT_EQ(CandidatePairs(*MakeJoin(0.7, sets, 2)), expected);
  EXPECT_EQ(CandidatePairs(*MakeJoin(0.7, sets, 4)), expected);
}

TEST(PrefixJoin, ThresholdsOutsideZeroToOneAreRefused) {
  for (const double threshold : {0.0, -1.0, 1.01}) {
    const auto join = MakeJoin(threshold, {});
    ASSERT_FALSE(join);
    EXPECT_EQ(join.error().code, ErrorCode::kInvalidArgument);
  }
  EXPECT_TRUE(MakeJoin(1, {}));
}

// Prefixes of large sets are chosen without a copy. Some shingles are in thousands of small sets,
// more than there are separate counters of frequencies.
TEST(PrefixJoin, SlowMissesNoPairOfSetsOfManyThousands) {
  std::mt19937_64 random(21);
  ShingleSet common = RandomSet(random, 30, UINT64_MAX);
  std::vector<ShingleSet> sets;
  const ShingleSet base = RandomSet(random, 90'000, UINT64_MAX);
  for (const size_t kept : {90'000, 80'000, 70'000, 60'000, 45'000}) {
    std::set<uint64_t> set(base.begin(), base.begin() + static_cast<std::ptrdiff_t>(kept));
    while (set.size() < 90'000) set.insert(random());
    set.insert(common.begin(), common.end());
    sets.emplace_back(set.begin(), set.end());
  }
  for (size_t i = 0; i < 5000; ++i) {
    std::set<uint64_t> set(common.begin(), common.end());
    while (set.size() < 40) set.insert(random());
    sets.emplace_back(set.begin(), set.end());
  }
  for (const double threshold : {0.5, 0.75, 0.95, 1.0}) {
    auto join = MakeJoin(threshold, sets);
    ASSERT_TRUE(join);
    const IndexPairs candidates = CandidatePairs(*std::move(join));
    for (uint32_t i = 0; i < 5; ++i) {
      for (uint32_t j = i + 1; j < 5; ++j) {
        if (!Matches(sets[i], sets[j], threshold)) continue;
        EXPECT_NE(std::ranges::find(candidates, std::pair(i, j)), candidates.end())
            << i << ' ' << j << ' ' << threshold;
      }
    }
    EXPECT_EQ(std::ranges::count_if(
                  candidates, [](const auto& pair) { return pair.first < 5 && pair.second >= 5; }),
              0);
  }
}

}  // namespace
}  // namespace zhiwen
