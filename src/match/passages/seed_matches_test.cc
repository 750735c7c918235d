#include "match/passages/seed_matches.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

namespace zhiwen {
namespace {

using Text = std::vector<uint32_t>;

Text DrawText(std::mt19937& random, size_t size, uint32_t letters) {
  Text text(size);
  for (uint32_t& symbol : text) symbol = static_cast<uint32_t>(random() % letters);
  return text;
}

// Returns all equal stretches of at least `seed` symbols that cannot be extended.
std::vector<SeedMatch> FindAllStretches(const Text& a, const Text& b, uint32_t seed) {
  std::vector<SeedMatch> found;
  for (uint32_t i = 0; i < a.size(); ++i) {
    for (uint32_t j = 0; j < b.size(); ++j) {
      if (i > 0 && j > 0 && a[i - 1] == b[j - 1]) continue;
      uint32_t length = 0;
      while (i + length < a.size() && j + length < b.size() && a[i + length] == b[j + length]) {
        ++length;
      }
      if (length >= seed) found.push_back({i, j, length});
    }
  }
  return found;
}

// Calls check(a, b, letters) for short texts of few letters.
template <typename Check>
void DrawPairs(unsigned seed, const Check& check) {
  std::mt19937 random(seed);
  for (int round = 0; round < 200; ++round) {
    SCOPED_TRACE(round);
    const uint32_t letters = 6 + static_cast<uint32_t>(random() % 20);
    const Text a = DrawText(random, random() % 120, letters);
    const Text b = DrawText(random, random() % 120, letters);
    check(a, b, letters);
  }
}

TEST(SeedMatches, AreAllStretchesWhereNoSeedIsCommon) {
  DrawPairs(1, [](const Text& a, const Text& b, uint32_t) {
    EXPECT_EQ(SeedMatcher(b, 4).Find(a, {}), FindAllStretches(a, b, 4));
  });
}

TEST(SeedMatches, FindACopyInAPeriodicText) {
  const Text same(5000, 7);
  const std::vector<SeedMatch> matches = SeedMatcher(same, 4).Find(same, {});
  ASSERT_EQ(matches.size(), 1u);
  EXPECT_EQ(matches.front(), (SeedMatch{0, 0, 5000}));
}

TEST(SeedMatches, OfARepeatedPageStayLinear) {
  std::mt19937 random(2);
  const Text page = DrawText(random, 100, 1000);
  Text pages;
  for (int i = 0; i < 200; ++i) pages.insert(pages.end(), page.begin(), page.end());
  const std::vector<SeedMatch> matches = SeedMatcher(pages, 4).Find(pages, {});
  ASSERT_FALSE(matches.empty());
  EXPECT_EQ(matches.front(), (SeedMatch{0, 0, 20000}));
  EXPECT_LE(matches.size(), 2 * kMostSeedPlaces);
}

// A longer seed is looked up where the short one is common, so that a copy is found among them.
TEST(SeedMatches, FindACopyAmongCommonSeeds) {
  std::mt19937 random(3);
  Text a = DrawText(random, 3000, 3), b = DrawText(random, 3000, 3);
  std::copy_n(a.begin() + 1000, 200, b.begin() + 2000);
  const std::vector<SeedMatch> matches = SeedMatcher(b, 4).Find(a, {});
  EXPECT_TRUE(std::ranges::any_of(matches, [](const SeedMatch& match) {
    return match.a <= 1000 && match.a + match.length >= 1200 && match.b - match.a == 1000;
  }));
}

// In texts so short everything is near an anchor, and one of a seed's length is one.
TEST(SeedFinders, FindWhatSeedMatchesAreNearAnAnchor) {
  DrawPairs(4, [](const Text& a, const Text& b, uint32_t letters) {
    const bool has_common_seeds = letters < 12;
    const std::vector<SeedMatch> found = SeedFinder(a, 4, 4).Find(b);
    if (!has_common_seeds) {
      EXPECT_EQ(found, FindAllStretches(a, b, 4));
    }
    for (const SeedMatch& match : found) {
      for (uint32_t i = 0; i < match.length; ++i) ASSERT_EQ(a[match.a + i], b[match.b + i]);
    }
  });
}

// Returns whether a stretch begins in a cell of 64 times 64 symbols beside one that an anchor has.
bool IsNear(const SeedMatch& match, const SeedMatch& anchor) {
  const auto is_beside = [](uint32_t x, uint32_t y) {
    return x / 64 + 1 >= y / 64 && y / 64 + 1 >= x / 64;
  };
  for (uint32_t step = 0;; step = std::min(step + 64, anchor.length)) {
    if (is_beside(match.a, anchor.a + step) && is_beside(match.b, anchor.b + step)) return true;
    if (step == anchor.length) return false;
  }
}

TEST(SeedFinders, FindAllThatIsNearAnAnchor) {
  std::mt19937 random(7);
  size_t anchored = 0, left_out = 0;
  for (int round = 0; round < 60; ++round) {
    SCOPED_TRACE(round);
    const Text a = DrawText(random, 600, 14);
    Text b = DrawText(random, 900, 14);
    for (uint32_t copies = random() % 4; copies > 0; --copies) {
      std::copy_n(a.begin() + random() % 400, 4 + random() % 150, b.begin() + random() % 700);
    }
    const std::vector<SeedMatch> all = FindAllStretches(a, b, 4);
    std::vector<SeedMatch> expected;
    for (const SeedMatch& match : all) {
      const bool is_near = std::ranges::any_of(all, [&](const SeedMatch& anchor) {
        return anchor.length >= 8 && IsNear(match, anchor);
      });
      if (is_near) expected.push_back(match);
    }
    EXPECT_EQ(SeedFinder(a, 4, 8).Find(b), expected);
    anchored += expected.size();
    left_out += all.size() - expected.size();
  }
  EXPECT_GT(anchored, 100u);
  EXPECT_GT(left_out, 300u);
}

TEST(SeedFinders, OfACopyStayLinear) {
  std::mt19937 random(8);
  const Text text = DrawText(random, 1'000'000, 1U << 30);
  EXPECT_EQ(SeedFinder(text, 4, 8).Find(text), (std::vector<SeedMatch>{{0, 0, 1'000'000}}));
}

TEST(SeedFinders, LeaveOutWhatIsFarFromAnAnchor) {
  std::mt19937 random(5);
  Text a = DrawText(random, 4000, 1U << 30), b = DrawText(random, 4000, 1U << 30);
  std::copy_n(a.begin() + 1000, 30, b.begin() + 2000);
  std::copy_n(a.begin() + 1040, 5, b.begin() + 2045);
  std::copy_n(a.begin() + 3000, 5, b.begin() + 500);
  EXPECT_EQ(SeedFinder(a, 4, 8).Find(b),
            (std::vector<SeedMatch>{{1000, 2000, 30}, {1040, 2045, 5}}));
}

TEST(SeedFinders, OfRepeatsStayLinear) {
  const Text same(300'000, 7);
  EXPECT_EQ(SeedFinder(same, 4, 8).Find(same), (std::vector<SeedMatch>{{0, 0, 300'000}}));
  std::mt19937 random(6);
  const Text two = DrawText(random, 300'000, 2);
  EXPECT_LT(SeedFinder(two, 4, 8).Find(two).size(), two.size());
}

}  // namespace
}  // namespace zhiwen
