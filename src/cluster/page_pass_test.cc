#include "cluster/page_pass.h"

#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace zhiwen {
namespace {

using PageLevels = std::vector<LevelFeatures>;

std::optional<PagePassStep> TakePage(PagePass& pass, uint64_t number, const PageLevels& levels,
                                     double rank = 0) {
  return pass.Take({.number = number, .levels = levels, .rank = rank});
}

// `count` strings, of which the first `changed` are others than those of the same call with 0.
LevelFeatures Strings(uint64_t count, uint64_t changed) {
  LevelFeatures strings;
  for (uint64_t i = 0; i < count; ++i) strings.push_back(i < changed ? 1000 + i : i);
  return strings;
}

TEST(PagePass, ACopyJoinsItsSourcePage) {
  for (const auto& pass :
       {MakeComparingPagePass(PageChoice::kFirst), MakeComparingPagePass(PageChoice::kBest),
        MakeFilteringPagePass(), MakeIndexedPagePass()}) {
    EXPECT_TRUE(TakePage(*pass, 7, {Strings(100, 0)})->is_new);
    const PagePassStep copy = *TakePage(*pass, 8, {Strings(100, 7)});
    EXPECT_EQ(copy.source, 7U);
    EXPECT_FALSE(copy.is_new);
    EXPECT_TRUE(TakePage(*pass, 9, {Strings(100, 8)})->is_new);  // 0.92 is not above 0.92
    EXPECT_TRUE(TakePage(*pass, 10, {Strings(100, 0), {1}})->is_new);
    EXPECT_EQ(TakePage(*pass, 11, {{}, {}}), std::nullopt);
    EXPECT_EQ(TakePage(*pass, 12, {}), std::nullopt);
  }
}

TEST(PagePass, FirstOrBest) {
  // Eleven levels, of which the copy has all of the second source page, and all but one of the
  // first.
  const PageLevels first(11, Strings(10, 0));
  PageLevels second = first, copy = first;
  second[3] = Strings(10, 9);
  second[4] = Strings(10, 8);
  copy[3] = second[3];
  const auto source = [&](PagePass& pass, const PageLevels& levels) {
    TakePage(pass, 1, first);
    EXPECT_TRUE(TakePage(pass, 2, second, 0.5)->is_new);
    return TakePage(pass, 3, levels)->source;
  };
  EXPECT_EQ(source(*MakeComparingPagePass(PageChoice::kFirst), copy), 1U);
  // As similar to both: the rank decides.
  EXPECT_EQ(source(*MakeComparingPagePass(PageChoice::kBest), copy), 2U);
  EXPECT_EQ(source(*MakeIndexedPagePass(), copy), 2U);
  EXPECT_EQ(source(*MakeIndexedPagePass(), first), 1U);
}

PageLevels ChangedPage(PageLevels levels, std::mt19937& random) {
  for (LevelFeatures& level : levels) {
    for (uint64_t& string : level) {
      if (random() % 40 == 0) string = random() % 300;
    }
    if (random() % 25 == 0) level.push_back(random() % 300);
  }
  if (random() % 10 == 0) levels.push_back({random() % 300});
  return levels;
}

TEST(PagePass, TheIndexFindsWhatComparingAllFinds) {
  std::mt19937 random(29);
  size_t joined = 0, compared = 0, all = 0;
  for (int round = 0; round < 20; ++round) {
    const auto slow = MakeComparingPagePass(PageChoice::kBest), quick = MakeIndexedPagePass();
    std::vector<PageLevels> pages;
    for (uint64_t number = 0; number < 150; ++number) {
      PageLevels page(1 + random() % 13);
      for (LevelFeatures& level : page) {
        level.resize(random() % 25);
        for (uint64_t& string : level) string = random() % 300;
      }
      if (!pages.empty() && random() % 3 != 0) {
        page = ChangedPage(pages[random() % pages.size()], random);
      }
      pages.push_back(page);
      const auto rank = static_cast<double>(random() % 3);
      const auto expected = TakePage(*slow, number, page, rank);
      const auto found = TakePage(*quick, number, page, rank);
      ASSERT_EQ(found.has_value(), expected.has_value());
      if (!expected) continue;
      ASSERT_EQ(found->source, expected->source);
      ASSERT_EQ(found->is_new, expected->is_new);
      ASSERT_EQ(found->similarity, expected->similarity);
      joined += expected->is_new ? 0 : 1;
      compared += found->compared;
      all += expected->compared;
    }
  }
  EXPECT_GT(joined, 100U);
  EXPECT_LT(compared, all / 2);
}

}  // namespace
}  // namespace zhiwen
