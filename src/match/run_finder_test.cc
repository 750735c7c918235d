// A run finder says what the slow definition says, for every pair of short texts and for long ones
// with planted runs.

#include "match/run_finder.h"

#include <gtest/gtest.h>

#include <random>
#include <utility>
#include <vector>

#include "match/shared_runs.h"

namespace zhiwen {
namespace {

using Symbols = std::vector<uint32_t>;

// Returns the text whose symbols are the digits of `number` in base 2.
Symbols DigitsOf(unsigned number, size_t length) {
  Symbols text;
  for (size_t i = 0; i < length; ++i) text.push_back(number >> i & 1);
  return text;
}

TEST(RunFinder, AgreesWithTheLongestSharedRunForEveryPairOfShortTexts) {
  for (unsigned a = 0; a < 256; ++a) {
    const Symbols text = DigitsOf(a, 8);
    std::vector<std::pair<Symbols, size_t>> others;  // and their longest runs
    for (unsigned b = 0; b < 256; b += 3) {
      Symbols other = DigitsOf(b, 8);
      const size_t longest = FindLongestSharedRun(text, other);
      others.emplace_back(std::move(other), longest);
    }
    for (uint32_t least = 1; least <= 8; ++least) {
      const RunFinder finder(text, least);
      for (const auto& [other, longest] : others) {
        ASSERT_EQ(finder.SharesRun(other), longest >= least) << a << ' ' << least;
      }
    }
  }
}

TEST(RunFinder, FindsARunWhereverItIsAndHoweverLong) {
  std::mt19937 random(3);
  const auto fresh = [&](size_t length) {
    Symbols text(length);
    for (uint32_t& symbol : text) symbol = static_cast<uint32_t>(random() % 5000);
    return text;
  };
  for (int round = 0; round < 400; ++round) {
    const Symbols text = fresh(30 + random() % 300);
    Symbols other = fresh(random() % 300);
    const size_t run = 10 + random() % 20;
    const size_t from = random() % (text.size() - run + 1);
    const auto at = static_cast<std::ptrdiff_t>(random() % (other.size() + 1));
    other.insert(other.begin() + at, text.begin() + static_cast<std::ptrdiff_t>(from),
                 text.begin() + static_cast<std::ptrdiff_t>(from + run));
    const RunFinder finder(text, 22);
    ASSERT_EQ(finder.SharesRun(other), FindLongestSharedRun(text, other) >= 22) << round;
  }
}

TEST(RunFinder, AnswersForRepeatsInTimeLinearInTheTexts) {
  // Every block of one text equals every block of the other, and no run is long enough.
  Symbols text, other;
  for (size_t i = 0; i < 20000; ++i) {
    text.insert(text.end(), 21, 7);
    text.push_back(static_cast<uint32_t>(100 + i));
    other.insert(other.end(), 21, 7);
    other.push_back(static_cast<uint32_t>(900000 + i));
  }
  const RunFinder finder(text, 22);
  EXPECT_FALSE(finder.SharesRun(other));
  other.insert(other.end(), text.begin() + 5000, text.begin() + 5030);
  EXPECT_TRUE(finder.SharesRun(other));
}

TEST(RunFinder, FindsNothingInTextsThatAreTooShort) {
  const Symbols text = {1, 2, 3};
  EXPECT_FALSE(RunFinder(text, 4).SharesRun(text));
  EXPECT_TRUE(RunFinder(text, 3).SharesRun(text));
  EXPECT_FALSE(RunFinder({}, 1).SharesRun(text));
  EXPECT_FALSE(RunFinder(text, 1).SharesRun({}));
}

}  // namespace
}  // namespace zhiwen
