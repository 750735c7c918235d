#include "match/shared_runs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace zhiwen {
namespace {

using Symbols = std::vector<uint32_t>;

class Random {
 public:
  explicit Random(uint32_t seed) : engine_(seed) {}
  uint32_t Below(size_t limit) { return static_cast<uint32_t>(engine_() % limit); }

 private:
  std::mt19937 engine_;
};

bool Occurs(const Symbols& b, const Symbols& a, size_t begin, size_t length) {
  return std::search(b.begin(), b.end(), a.begin() + begin, a.begin() + begin + length) != b.end();
}

struct Interval {
  size_t begin = 0, length = 0;
  friend bool operator==(const Interval&, const Interval&) = default;
};

// Applies the definition directly: repeatedly takes the longest run, and of equally long ones the
// earliest, of uncovered symbols of a that occurs in b.
std::vector<Interval> TileNaively(const Symbols& a, const Symbols& b, size_t min_run) {
  std::vector<bool> covered(a.size(), false);
  std::vector<Interval> tiles;
  while (true) {
    Interval best;
    for (size_t begin = 0; begin < a.size(); ++begin) {
      size_t length = 0;
      while (begin + length < a.size() && !covered[begin + length] &&
             Occurs(b, a, begin, length + 1)) {
        ++length;
      }
      if (length > best.length) best = {begin, length};
    }
    if (best.length < min_run || best.length == 0) break;
    std::fill_n(covered.begin() + best.begin, best.length, true);
    tiles.push_back(best);
  }
  std::sort(tiles.begin(), tiles.end(),
            [](const Interval& x, const Interval& y) { return x.begin < y.begin; });
  return tiles;
}

void ExpectEqualsOracle(const Symbols& a, const Symbols& b, uint32_t min_run) {
  std::vector<Interval> found;
  for (const SymbolRun& run : FindSharedRuns(a, b, min_run)) {
    found.push_back({run.a.value, run.length});
    ASSERT_LE(run.b.value + run.length, b.size());
    ASSERT_TRUE(std::equal(a.begin() + run.a.value, a.begin() + run.a.value + run.length,
                           b.begin() + run.b.value));
  }
  ASSERT_EQ(found.size(), TileNaively(a, b, min_run).size())
      << testing::PrintToString(a) << testing::PrintToString(b) << min_run;
  ASSERT_TRUE(found == TileNaively(a, b, min_run))
      << testing::PrintToString(a) << testing::PrintToString(b) << min_run;
}

// Calls visit with every text of `alphabet` letters up to `longest` symbols.
template <typename Visit>
void ForEachText(uint32_t alphabet, size_t longest, Visit visit) {
  for (size_t length = 0; length <= longest; ++length) {
    Symbols text(length, 0);
    while (true) {
      visit(text);
      size_t i = 0;
      while (i < length && ++text[i] == alphabet) text[i++] = 0;
      if (i == length) break;
    }
  }
}

TEST(SharedRuns, SlowEqualTheSlowDefinitionForEveryPairOfShortTexts) {
  ForEachText(2, 7, [](const Symbols& a) {
    ForEachText(2, 5, [&](const Symbols& b) {
      for (const uint32_t min_run : {1u, 2u, 3u}) ExpectEqualsOracle(a, b, min_run);
    });
  });
}

// Takes a few pieces of `source`, separated by other symbols.
Symbols CutFrom(const Symbols& source, Random& random) {
  Symbols text;
  for (int piece = 0; piece < 4; ++piece) {
    const size_t begin = random.Below(source.size());
    const size_t end = begin + random.Below(source.size() - begin);
    text.insert(text.end(), source.begin() + begin, source.begin() + end);
    text.push_back(100 + random.Below(3));
  }
  return text;
}

Symbols MadeSource(Random& random) {
  Symbols source(60);
  for (uint32_t& symbol : source) symbol = random.Below(6) == 0 ? 0x80000001u : random.Below(4);
  return source;
}

TEST(SharedRuns, EqualTheSlowDefinitionForTextsMadeOfSharedPieces) {
  Random random(7);
  for (int round = 0; round < 200; ++round) {
    const Symbols source = MadeSource(random);
    const Symbols a = CutFrom(source, random);
    ExpectEqualsOracle(a, CutFrom(source, random), 1 + random.Below(9));
  }
}

TEST(SharedRuns, AreTheSameBesideALongTextThatSharesNothing) {
  Random random(8);
  Symbols tail;
  for (uint32_t i = 0; i < 6000; ++i) tail.push_back(i % 3 == 0 ? 0x90000000u + i : 1000 + i);
  for (int round = 0; round < 20; ++round) {
    const Symbols source = MadeSource(random);
    const Symbols a = CutFrom(source, random), b = CutFrom(source, random);
    Symbols longer = b;
    longer.insert(longer.end(), tail.begin(), tail.end());
    const uint32_t min_run = 1 + random.Below(9);
    EXPECT_EQ(FindSharedRuns(a, longer, min_run), FindSharedRuns(a, b, min_run));
  }
}

TEST(SharedRuns, APassageThatRepeatsInAIsFoundEachTime) {
  const Symbols a = {1, 2, 3, 4, 9, 1, 2, 3, 4};
  const Symbols b = {8, 1, 2, 3, 4};
  const std::vector<SymbolRun> runs = FindSharedRuns(a, b, 4);
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[0], (SymbolRun{{0}, {1}, 4}));
  EXPECT_EQ(runs[1], (SymbolRun{{5}, {1}, 4}));
}

TEST(SharedRuns, ShorterRunsThanAskedForAreNotReported) {
  const Symbols a = {1, 2, 3, 4};
  EXPECT_TRUE(FindSharedRuns(a, Symbols{1, 2, 3, 9}, 4).empty());
  EXPECT_EQ(FindSharedRuns(a, a, 4).size(), 1u);
  EXPECT_TRUE(FindSharedRuns({}, a, 1).empty());
  EXPECT_TRUE(FindSharedRuns(a, {}, 1).empty());
}

TEST(SharedRuns, SlowAMillionRepeatedSymbolsStayFast) {
  const Symbols a(1'000'000, 7);
  Symbols b(1'000'000, 7);
  const std::vector<SymbolRun> whole = FindSharedRuns(a, b, 8);
  ASSERT_EQ(whole.size(), 1u);
  EXPECT_EQ(whole[0].length, a.size());
  b.resize(1000);  // a is tiled by a thousand pieces
  EXPECT_EQ(FindSharedRuns(a, b, 8).size(), 1000u);
}

TEST(SharedRuns, SlowTwoLettersInAMillionSymbolsStayFast) {
  Random random(3);
  Symbols a(1'000'000), b(1'000'000);
  for (uint32_t& symbol : a) symbol = random.Below(2);
  for (uint32_t& symbol : b) symbol = random.Below(2);
  const std::vector<SymbolRun> runs = FindSharedRuns(a, b, 8);
  uint64_t covered = 0;
  for (const SymbolRun& run : runs) covered += run.length;
  EXPECT_GT(covered, a.size() * 9 / 10);
}

}  // namespace
}  // namespace zhiwen
