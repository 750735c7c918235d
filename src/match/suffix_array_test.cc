#include "match/suffix_array.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace zhiwen {
namespace {

using Letters = std::vector<uint32_t>;

std::vector<uint32_t> SortNaively(const Letters& letters) {
  std::vector<uint32_t> order(letters.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    return std::lexicographical_compare(letters.begin() + a, letters.end(), letters.begin() + b,
                                        letters.end());
  });
  return order;
}

uint32_t CommonPrefix(const Letters& letters, uint32_t a, uint32_t b) {
  uint32_t length = 0;
  while (std::max(a, b) + length < letters.size() && letters[a + length] == letters[b + length]) {
    ++length;
  }
  return length;
}

void ExpectRight(const Letters& letters, uint32_t alphabet) {
  const std::vector<uint32_t> order = MakeSuffixArray(letters, alphabet);
  ASSERT_EQ(order, SortNaively(letters)) << testing::PrintToString(letters);
  const std::vector<uint32_t> common = MakeCommonPrefixes(letters, order);
  ASSERT_EQ(common.size(), order.size());
  for (size_t i = 1; i < order.size(); ++i) {
    ASSERT_EQ(common[i], CommonPrefix(letters, order[i - 1], order[i]));
  }
}

TEST(SuffixArray, EqualsSortingForEveryTextOfThreeLettersUpToEight) {
  for (uint32_t length = 0; length <= 8; ++length) {
    Letters letters(length, 0);
    while (true) {
      ExpectRight(letters, 3);
      size_t i = 0;
      while (i < length && ++letters[i] == 3) letters[i++] = 0;
      if (i == length) break;
    }
  }
}

TEST(SuffixArray, EqualsSortingForLongerTextsOfFewAndManyLetters) {
  auto random = [engine = std::mt19937(1)](uint32_t below) mutable {
    return static_cast<uint32_t>(engine() % below);
  };
  for (const uint32_t alphabet : {1u, 2u, 5u, 1000u}) {
    for (int round = 0; round < 50; ++round) {
      Letters letters(1 + random(300));
      for (uint32_t& letter : letters) letter = random(alphabet);
      ExpectRight(letters, alphabet);
    }
  }
}

TEST(SuffixArray, StaysFastOnOneLetterRepeated) {
  const Letters letters(2'000'000, 0);
  const std::vector<uint32_t> order = MakeSuffixArray(letters, 1);
  EXPECT_EQ(order.front(), letters.size() - 1);
  EXPECT_EQ(order.back(), 0u);
}

}  // namespace
}  // namespace zhiwen
