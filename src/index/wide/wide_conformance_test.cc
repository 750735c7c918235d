// Every index of codes of 128 bits gives what brute force gives, which gives what the definition
// says.

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <set>
#include <vector>

#include "index/wide/brute_force_wide.h"
#include "index/wide/four_part_index.h"
#include "index/wide/four_part_query.h"
#include "index/wide/wide_join.h"

namespace zhiwen {
namespace {

using Codes = std::vector<Code128>;

void Flip(Code128& code, uint64_t bit) {
  (bit < 64 ? code.low : code.high) ^= uint64_t{1} << bit % 64;
}

// Few centres, each with some bits changed; a quarter of the codes share a part.
Codes NearCodes(std::mt19937_64& random, size_t count) {
  Codes centres(1 + count / 8), codes(count);
  for (Code128& centre : centres) centre = {random(), random()};
  for (Code128& code : codes) {
    code = centres[random() % centres.size()];
    for (uint64_t flips = random() % 14; flips > 0; --flips) Flip(code, random() % 128);
    if (random() % 4 == 0) code.high = (code.high & ~uint64_t{0xFFFFFFFF}) | 0x1234;
  }
  return codes;
}

Codes UniformCodes(std::mt19937_64& random, size_t count) {
  Codes codes(count);
  for (Code128& code : codes) code = {random(), random()};
  return codes;
}

// Of twelve bits only, so that every part is shared by many.
Codes NarrowCodes(std::mt19937_64& random, size_t count) {
  Codes codes(count);
  for (Code128& code : codes) {
    for (uint64_t bits = random() % 4096, i = 0; i < 12; ++i) {
      if ((bits >> i & 1) != 0) Flip(code, i * 11);
    }
  }
  return codes;
}

void MakeDistinct(Codes& codes) {
  std::sort(codes.begin(), codes.end());
  codes.erase(std::unique(codes.begin(), codes.end()), codes.end());
}

// Codes with a few bits changed, and others.
Codes QueriesFor(std::mt19937_64& random, const Codes& codes, size_t count) {
  Codes queries = UniformCodes(random, count);
  for (size_t i = 0; i < count && !codes.empty(); i += 2) {
    queries[i] = codes[random() % codes.size()];
    for (uint64_t flips = random() % 8; flips > 0; --flips) Flip(queries[i], random() % 128);
  }
  return queries;
}

std::vector<WideMatch> Definition(const Codes& codes, const Codes& queries, uint32_t radius) {
  std::vector<WideMatch> matches;
  const std::set<Code128> distinct(codes.begin(), codes.end());
  for (uint32_t q = 0; q < queries.size(); ++q) {
    for (uint32_t distance = 0; distance <= radius; ++distance) {
      for (const Code128& code : distinct) {
        const auto low = std::popcount(code.low ^ queries[q].low);
        const auto high = std::popcount(code.high ^ queries[q].high);
        if (static_cast<uint32_t>(low + high) == distance) matches.push_back({q, distance, code});
      }
    }
  }
  return matches;
}

std::unique_ptr<WideHammingIndex> Make(bool is_brute_force) {
  if (is_brute_force) return std::make_unique<BruteForceWide>();
  return std::make_unique<FourPartIndex>();
}

class EveryWideIndex : public testing::TestWithParam<bool> {};

INSTANTIATE_TEST_SUITE_P(All, EveryWideIndex, testing::Values(true, false),
                         [](const testing::TestParamInfo<bool>& is_brute_force) {
                           return is_brute_force.param ? "BruteForce" : "FourPart";
                         });

TEST_P(EveryWideIndex, FindsWhatTheDefinitionSays) {
  std::mt19937_64 random(7);
  for (const size_t count : {0, 1, 2, 50, 1500}) {
    const Codes codes = NearCodes(random, count);
    const Codes queries = QueriesFor(random, codes, 12);
    const auto index = Make(GetParam());
    index->Insert(codes);
    EXPECT_EQ(index->size(), std::set<Code128>(codes.begin(), codes.end()).size());
    for (const uint32_t radius : {0U, 1U, 2U, 3U, 4U, 5U, 7U, 8U, 13U, 16U, 40U, 128U}) {
      WideAnswer answer;
      index->Query(queries, radius, answer);
      EXPECT_EQ(answer.matches, Definition(codes, queries, radius)) << count << " " << radius;
      EXPECT_TRUE(answer.truncated.empty());
    }
  }
}

// What is inserted, removed and found, in any order, beside a set.
TEST_P(EveryWideIndex, IsLikeASetWhateverIsInsertedAndRemoved) {
  std::mt19937_64 random(9);
  Codes pool = NearCodes(random, 2000);
  const Codes narrow = NarrowCodes(random, 1000);
  pool.insert(pool.end(), narrow.begin(), narrow.end());
  const auto index = Make(GetParam());
  std::set<Code128> expected;
  for (int round = 0; round < 40; ++round) {
    Codes some;
    for (uint64_t i = random() % 200; i > 0; --i) some.push_back(pool[random() % pool.size()]);
    const size_t before = expected.size();
    if (random() % 3 > 0) {
      expected.insert(some.begin(), some.end());
      EXPECT_EQ(index->Insert(some), expected.size() - before);
    } else {
      for (const Code128& code : some) expected.erase(code);
      EXPECT_EQ(index->Remove(some), before - expected.size());
    }
    ASSERT_EQ(index->size(), expected.size());
    WideAnswer answer;
    some.resize(std::min<size_t>(some.size(), 40));
    index->Query(some, 3, answer);
    const Codes all(expected.begin(), expected.end());
    ASSERT_EQ(answer.matches, Definition(all, some, 3)) << round;
  }
}

// Large enough that nobody goes through all codes, up to the radius where that is right.
void ExpectLikeBruteForce(const Codes& codes, const Codes& queries, uint32_t looked_up) {
  FourPartIndex index;
  BruteForceWide brute_force;
  EXPECT_EQ(index.Insert(codes), brute_force.Insert(codes));
  EXPECT_GT(index.LinesFor(looked_up, 1), 0);
  for (uint32_t radius = 0; radius <= 16; ++radius) {
    WideAnswer answer, expected;
    index.Query(queries, radius, answer);
    brute_force.Query(queries, radius, expected);
    EXPECT_EQ(answer.matches, expected.matches) << radius;
    EXPECT_TRUE(answer.truncated.empty());
    for (uint32_t q = 0; q < queries.size() && q < 8; ++q) {  // alone it is compared less readily
      WideAnswer alone;
      index.Query({&queries[q], 1}, radius, alone);
      for (WideMatch& match : alone.matches) match.query = q;
      const auto its = std::ranges::equal_range(expected.matches, q, {}, &WideMatch::query);
      EXPECT_TRUE(std::ranges::equal(alone.matches, its)) << radius;
    }
  }
}

TEST(FourPartIndexes, EqualBruteForceWithManyCodes) {
  std::mt19937_64 random(8);
  const Codes uniform = UniformCodes(random, 200'000);
  ExpectLikeBruteForce(uniform, QueriesFor(random, uniform, 64), 8);
  Codes near = NearCodes(random, 100'000);
  near.insert(near.end(), near.begin(), near.begin() + 1000);
  ExpectLikeBruteForce(near, QueriesFor(random, near, 64), 7);
  const Codes narrow = NarrowCodes(random, 4000);
  ExpectLikeBruteForce(narrow, QueriesFor(random, narrow, 64), 3);
}

TEST(FourPartIndexes, HoldTheSameHoweverManyAreInsertedAtOnce) {
  std::mt19937_64 random(19);
  Codes codes = NearCodes(random, 12000);
  codes.insert(codes.end(), codes.begin(), codes.begin() + 3000);
  std::shuffle(codes.begin(), codes.end(), random);
  FourPartIndex one_by_one, many;
  for (const Code128& code : codes) one_by_one.Insert({&code, 1});
  const uint64_t added =
      many.Insert({codes.data(), 7000}) + many.Insert({codes.data() + 7000, 8000});
  EXPECT_EQ(added, one_by_one.size());
  WideAnswer answer, expected;
  many.Query(codes, 3, answer);
  one_by_one.Query(codes, 3, expected);
  EXPECT_EQ(answer.matches, expected.matches);
  EXPECT_EQ(many.Remove(codes), added);
  EXPECT_EQ(many.size(), 0);
}

TEST(FourPartIndexes, SayWhenAPartIsSharedByMoreCodesThanTheyLookAt) {
  std::mt19937_64 random(3);
  FourPartIndex index({.scan_limit = 100});
  Codes codes = UniformCodes(random, 10'000);
  for (size_t i = 0; i < 5000; ++i) codes[i].low = codes[i].low << 32 | 42;
  index.Insert(codes);
  Codes queries = UniformCodes(random, 4);
  queries[1] = codes[17];
  queries[3] = codes[4000];
  WideAnswer answer;
  index.Query(queries, 3, answer);
  EXPECT_EQ(answer.truncated, (std::vector<uint32_t>{1, 3}));
  // Both are found by another part, once.
  EXPECT_EQ(answer.matches, Definition(codes, queries, 3));
}

TEST(FourPartPlans, HaveRadiiThatLeaveNoCodeOut) {
  for (uint32_t radius = 0; radius <= 23; ++radius) {
    int sum = 0;
    for (size_t p = 0; p < 4; ++p) sum += FourPartPlan{.radius = radius}.RadiusOf(p) + 1;
    EXPECT_EQ(sum, static_cast<int>(radius) + 1);
  }
  EXPECT_EQ(FourPartPlan{.radius = 0}.look_ups(), 1);
  EXPECT_EQ(FourPartPlan{.radius = 3}.look_ups(), 4);
  EXPECT_EQ(FourPartPlan{.radius = 4}.look_ups(), 36);
  EXPECT_EQ(FourPartPlan{.radius = 7}.look_ups(), 132);
  EXPECT_EQ(FourPartPlan{.radius = 24}.look_ups(), 0);
}

TEST(FindNearestWide, GivesTheNearestCodesUpToTheRadius) {
  std::mt19937_64 random(5);
  const Codes codes = NearCodes(random, 5000);
  FourPartIndex index;
  index.Insert(codes);
  for (int i = 0; i < 10; ++i) {
    Code128 query = codes[random() % codes.size()];
    Flip(query, random() % 128);
    auto expected = Definition(codes, {query}, 12);
    if (expected.size() > 7) expected.resize(7);
    const NearestWideCodes found = FindNearest(index, query, 7, 12);
    EXPECT_EQ(found.matches, expected);
    EXPECT_TRUE(found.is_exact);
  }
}

TEST(JoinWithinWide, FindsEveryPairOnce) {
  std::mt19937_64 random(11);
  for (const size_t count : {0, 1, 2, 40, 2500}) {
    Codes codes = NearCodes(random, count);
    MakeDistinct(codes);
    for (const uint32_t radius : {0U, 3U, 6U, 9U}) {
      std::vector<WidePair> expected, pairs;
      for (size_t i = 0; i < codes.size(); ++i) {
        for (size_t j = i + 1; j < codes.size(); ++j) {
          if (HammingDistance(codes[i], codes[j]) <= radius) {
            expected.push_back({codes[i], codes[j]});
          }
        }
      }
      Codes shuffled = codes;
      std::shuffle(shuffled.begin(), shuffled.end(), random);
      const auto keep = [&](std::span<const WidePair> found) {
        pairs.insert(pairs.end(), found.begin(), found.end());
      };
      EXPECT_TRUE(JoinWithin(shuffled, radius, keep, Cancellation()));
      std::sort(pairs.begin(), pairs.end());
      EXPECT_EQ(pairs, expected) << count << " " << radius;
    }
  }
}

}  // namespace
}  // namespace zhiwen
