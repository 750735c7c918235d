#include "fingerprint/winnowing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

namespace zhiwen {
namespace {

constexpr uint64_t kPrime = (uint64_t{1} << 61) - 1;

SelectedShingles Select(const std::vector<uint64_t>& units, const WinnowingOptions& options) {
  Winnower winnower(options);
  SelectedShingles selected;
  for (size_t i = 0; i < units.size(); ++i) {
    winnower.Add({.hash = units[i], .source = {{10 * i}, {10 * i + 7}}}, selected);
  }
  for (const SelectedShingle& block : selected) {
    EXPECT_EQ(block.source.begin.value, 10 * block.position);
    EXPECT_EQ(block.source.end.value, 10 * (block.position + options.block) - 3);
  }
  return selected;
}

// Selects all blocks by a window of one block.
std::vector<uint64_t> BlockHashesOf(const std::vector<uint64_t>& units, size_t k) {
  std::vector<uint64_t> hashes;
  for (const SelectedShingle& block : Select(units, {.block = k})) hashes.push_back(block.hash);
  return hashes;
}

// Selects minima of blocks of one unit, whose hash is the unit itself.
std::vector<size_t> MinimaOf(const std::vector<uint64_t>& hashes, size_t window) {
  std::vector<size_t> places;
  for (const SelectedShingle& block : Select(hashes, {.window = window})) {
    EXPECT_EQ(block.hash, hashes[block.position]);
    places.push_back(block.position);
  }
  return places;
}

// Follows steps ① to ④ of S0, with its pointer.
std::vector<size_t> SelectAsTheSourceSays(const std::vector<uint64_t>& hashes, size_t window) {
  std::vector<size_t> selected;
  const auto last_minimum_of = [&](size_t begin) {
    size_t found = begin;
    for (size_t i = begin; i < begin + window; ++i) found = hashes[i] <= hashes[found] ? i : found;
    return found;
  };
  for (size_t begin = 0; begin + window <= hashes.size(); ++begin) {
    const size_t end = begin + window - 1;
    if (selected.empty() || selected.back() < begin) {
      selected.push_back(last_minimum_of(begin));
    } else if (hashes[selected.back()] >= hashes[end] && selected.back() != end) {
      selected.push_back(end);
    }
  }
  return selected;
}

TEST(Winnowing, BlockHashesArePolynomials) {
  std::mt19937_64 random(1);
  const uint64_t base = BlockHashesOf({1, 0}, 2)[0];
  EXPECT_GT(base, uint64_t{1} << 40);
  for (int round = 0; round < 200; ++round) {
    std::vector<uint64_t> units(random() % 30);
    for (uint64_t& unit : units) unit = random() % 4 == 0 ? ~uint64_t{0} - random() % 3 : random();
    const size_t k = 1 + random() % 10;
    const std::vector<uint64_t> hashes = BlockHashesOf(units, k);
    ASSERT_EQ(hashes.size(), units.size() < k ? 0 : units.size() - k + 1);
    for (size_t i = 0; i < hashes.size(); ++i) {
      __extension__ unsigned __int128 hash = 0;
      for (size_t j = 0; j < k; ++j) hash = (hash * base + units[i + j]) % kPrime;
      EXPECT_EQ(hashes[i], static_cast<uint64_t>(hash));
    }
  }
}

TEST(Winnowing, SelectsAsTheStepsOfTheSourceDo) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 2000; ++round) {
    std::vector<uint64_t> hashes(random() % (round % 20 == 0 ? 400 : 40));
    const uint64_t most = 1 + random() % 12;  // makes many equal minima
    const size_t rise = random() % 2;         // makes many candidates, where hashes rise
    for (size_t i = 0; i < hashes.size(); ++i) hashes[i] = random() % most + rise * i;
    const size_t window = 1 + random() % 12;
    EXPECT_EQ(MinimaOf(hashes, window), SelectAsTheSourceSays(hashes, window));
  }
}

TEST(Winnowing, SelectsOfEverySmallSequenceWhatEveryWindowNeeds) {
  for (size_t size = 1; size <= 7; ++size) {
    std::vector<uint64_t> hashes(size);
    for (uint64_t code = 0; code < uint64_t{1} << (2 * size); ++code) {
      for (size_t i = 0; i < size; ++i) hashes[i] = code >> (2 * i) & 3;
      for (size_t window = 1; window <= size; ++window) {
        std::set<size_t> expected;
        for (size_t begin = 0; begin + window <= size; ++begin) {
          size_t last = begin;
          for (size_t i = begin; i < begin + window; ++i) {
            if (hashes[i] <= hashes[last]) last = i;
          }
          expected.insert(last);
        }
        const std::vector<size_t> selected = MinimaOf(hashes, window);
        ASSERT_EQ(std::set<size_t>(selected.begin(), selected.end()), expected);
        ASSERT_TRUE(std::ranges::is_sorted(selected));
      }
    }
  }
}

// Tests the theorem: texts that share a run of exactly g units keep a block of the run in common.
TEST(Winnowing, FindsEverySharedRunOfG) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 1000; ++round) {
    const size_t k = 1 + random() % 6;
    const size_t g = k + random() % 8;
    std::vector<uint64_t> run(g);
    for (uint64_t& unit : run) unit = random() % 5;
    const auto with_run = [&] {
      std::vector<uint64_t> units(random() % 20);
      for (uint64_t& unit : units) unit = 100 + random() % 5;
      const auto at = static_cast<ptrdiff_t>(random() % (units.size() + 1));
      units.insert(units.begin() + at, run.begin(), run.end());
      std::set<uint64_t> inside;  // hashes of the run's selected blocks
      const std::vector<uint64_t> hashes = BlockHashesOf(units, k);
      for (const size_t i : MinimaOf(hashes, g - k + 1)) {
        const auto begin = static_cast<size_t>(at);
        if (i >= begin && i + k <= begin + g) inside.insert(hashes[i]);
      }
      return inside;
    };
    const std::set<uint64_t> a = with_run();
    const std::set<uint64_t> b = with_run();
    std::vector<uint64_t> both;
    std::ranges::set_intersection(a, b, std::back_inserter(both));
    EXPECT_FALSE(both.empty()) << "k " << k << " g " << g;
  }
}

TEST(Winnowing, OfFewerHashesThanAWindowSelectsNone) {
  EXPECT_TRUE(MinimaOf({}, 1).empty());
  EXPECT_TRUE(MinimaOf({5, 4}, 3).empty());
  EXPECT_EQ(MinimaOf({5, 4}, 2), std::vector<size_t>{1});
  EXPECT_EQ(MinimaOf({4, 4, 4}, 2), (std::vector<size_t>{1, 2}));
}

TEST(Winnowing, OfAShortRunGivesTheLastSmallestIfAsked) {
  Winnower winnower({.block = 2, .window = 4});
  SelectedShingles selected;
  const auto add = [&](const std::vector<uint64_t>& units) {
    for (const uint64_t unit : units) winnower.Add({.hash = unit, .source = {}}, selected);
  };
  add({1});
  winnower.AddOfShortRun(selected);
  EXPECT_TRUE(selected.empty());  // there is no block
  add({1, 1, 1});
  EXPECT_TRUE(selected.empty());
  winnower.AddOfShortRun(selected);
  ASSERT_EQ(selected.size(), 1u);
  EXPECT_EQ(selected[0].position, 2u);
  winnower.EndRun();
  add({1});
  winnower.AddOfShortRun(selected);
  EXPECT_EQ(selected.size(), 1u);  // no block goes beyond a run
  add({1, 1, 1, 1});
  winnower.AddOfShortRun(selected);
  ASSERT_EQ(selected.size(), 2u);  // the window, without a short run
  EXPECT_EQ(selected[1].position, 7u);
  EXPECT_EQ(winnower.units(), 9u);
}

}  // namespace
}  // namespace zhiwen
