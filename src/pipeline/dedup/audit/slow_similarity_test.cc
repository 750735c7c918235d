#include "pipeline/dedup/audit/slow_similarity.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <random>
#include <set>

namespace zhiwen {
namespace {

using Tuple = std::array<uint32_t, 5>;

std::set<Tuple> TuplesOf(const std::vector<uint32_t>& symbols) {
  std::set<Tuple> tuples;
  for (size_t i = 0; i + 5 <= symbols.size(); ++i) {
    tuples.insert({symbols[i], symbols[i + 1], symbols[i + 2], symbols[i + 3], symbols[i + 4]});
  }
  return tuples;
}

TEST(SlowSimilarity, CountsAsSetsDo) {
  std::mt19937 random(3);
  for (int round = 0; round < 2000; ++round) {
    const auto letters = static_cast<uint32_t>(1 + random() % 4);  // so few that runs repeat
    std::vector<uint32_t> a(random() % 40), b(random() % 40);
    for (uint32_t& symbol : a) symbol = static_cast<uint32_t>(random() % letters);
    for (uint32_t& symbol : b) symbol = static_cast<uint32_t>(random() % letters);
    const std::set<Tuple> tuples_a = TuplesOf(a), tuples_b = TuplesOf(b);
    std::vector<Tuple> shared;
    std::ranges::set_intersection(tuples_a, tuples_b, std::back_inserter(shared));
    EXPECT_EQ(SlowSet(a).size(), tuples_a.size());
    const SetOverlap expected{tuples_a.size(), tuples_b.size(), shared.size()};
    EXPECT_EQ(SlowSet(a).Compare(b), expected);
    EXPECT_EQ(SlowSet(a).CountShared(SlowSet(b)), shared.size());
    EXPECT_EQ(SlowSet(b).CountShared(SlowSet(a)), shared.size());
  }
}

TEST(SlowSimilarity, SharesARunOfALengthWhereOneTextHasItFromTheOther) {
  const auto share = [](std::string_view a, std::string_view b, size_t length) {
    return SlowShareRun(FoldedChannel(), a, b, length).value();
  };
  EXPECT_TRUE(share("晉太元中武陵人", "捕鱼：太元，中武", 4));
  EXPECT_FALSE(share("晉太元中武陵人", "捕鱼：太元，中武", 5));
  EXPECT_TRUE(share("短", "很短的", 1));
  EXPECT_FALSE(share("短", "长", 1));
  EXPECT_FALSE(share("短", "短", 2));
  EXPECT_TRUE(share("一二三四五六七八九十", "零一二三四五六七八九十", 10));
  EXPECT_FALSE(share("一二三四五六七八九十", "零一二三四六七八九十", 6));
}

TEST(SlowSimilarity, IsThatOfTheTextsOnTheirChannel) {
  const SlowSet a = SlowShingles(FoldedChannel(), "晉太元中武陵人").value();  // 3 runs
  const SlowSet b = SlowShingles(FoldedChannel(), "晋太元中，武陵。").value();
  EXPECT_EQ(a.size(), 3U);
  EXPECT_DOUBLE_EQ(SlowResemblance(a, b), 2.0 / 3);
  EXPECT_EQ(SlowResemblance(SlowSet(), SlowSet()), 0);
  EXPECT_TRUE(SlowEqual(FoldedChannel(), "晉，太元", "晋太元").value());
  EXPECT_FALSE(SlowEqual(ExactChannel(), "晉，太元", "晋太元").value());
  EXPECT_FALSE(SlowShingles(FoldedChannel(), "\xff").has_value());
}

}  // namespace
}  // namespace zhiwen
