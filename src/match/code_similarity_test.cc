#include "match/code_similarity.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <string_view>
#include <vector>

namespace zhiwen {
namespace {

using CodeMeasure = double (*)(const CodeSequence&, const CodeSequence&);

constexpr std::array<CodeMeasure, 4> kCodeMeasures = {EqualPlaces, ConsecutiveCodes,
                                                      CommonSubsequence, CodeResemblance};

// Makes a code of two bytes of each letter, and a code of zeros of "-".
CodeSequence Codes(std::string_view letters) {
  CodeSequence codes = {.width = 2, .bytes = {}};
  for (const char letter : letters) {
    const auto byte = static_cast<uint8_t>(letter == '-' ? 0 : letter);
    codes.bytes.insert(codes.bytes.end(), {byte, byte});
  }
  return codes;
}

TEST(CodeSimilarity, OfPlacesCountsEqualOnesThatAreNotZeros) {
  EXPECT_DOUBLE_EQ(EqualPlaces(Codes("abcd"), Codes("abxd")), 0.75);
  EXPECT_DOUBLE_EQ(EqualPlaces(Codes("a--d"), Codes("b--d")), 0.5);
  EXPECT_DOUBLE_EQ(EqualPlaces(Codes("ab"), Codes("abcd")), 0.5);
  EXPECT_DOUBLE_EQ(EqualPlaces(Codes("--"), Codes("--")), 0);
}

TEST(CodeSimilarity, OfRunsCountsWhatFollowsOneAnotherInBoth) {
  // The runs abc of both, 6 of 12 codes.
  EXPECT_DOUBLE_EQ(ConsecutiveCodes(Codes("abcdef"), Codes("xabcyf")), 0.5);
  EXPECT_DOUBLE_EQ(ConsecutiveCodes(Codes("abc"), Codes("cba")), 0);
  EXPECT_DOUBLE_EQ(ConsecutiveCodes(Codes("abab"), Codes("ab")), 1);
  EXPECT_DOUBLE_EQ(ConsecutiveCodes(Codes("a"), Codes("a")), 1);
  EXPECT_DOUBLE_EQ(ConsecutiveCodes(Codes("a"), Codes("b")), 0);
}

TEST(CodeSimilarity, OfSequencesIsTheLongestInOrder) {
  EXPECT_DOUBLE_EQ(CommonSubsequence(Codes("abcde"), Codes("axcye")), 0.6);
  EXPECT_DOUBLE_EQ(CommonSubsequence(Codes("abc"), Codes("cba")), 1.0 / 3);
  EXPECT_DOUBLE_EQ(CommonSubsequence(Codes("aab"), Codes("ab")), 1);
}

TEST(CodeSimilarity, OfSetsIsTheirResemblance) {
  EXPECT_DOUBLE_EQ(CodeResemblance(Codes("abca"), Codes("bcd")), 0.5);
}

// Computes the longest common subsequence by the textbook algorithm.
size_t LongestSlowly(std::string_view a, std::string_view b) {
  std::vector<std::vector<size_t>> longest(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i < a.size(); ++i) {
    for (size_t j = 0; j < b.size(); ++j) {
      longest[i + 1][j + 1] =
          a[i] == b[j] ? longest[i][j] + 1 : std::max(longest[i][j + 1], longest[i + 1][j]);
    }
  }
  return longest[a.size()][b.size()];
}

TEST(CodeSimilarity, IsSymmetricOneOfTheSameAndZeroOfNothing) {
  std::mt19937 random(1);
  for (int round = 0; round < 1000; ++round) {
    std::string a = "abcdefgh";
    std::string b = "cdefghij";
    std::ranges::shuffle(a, random);
    std::ranges::shuffle(b, random);
    a.resize(random() % (a.size() + 1));
    b.resize(random() % (b.size() + 1));
    for (const CodeMeasure similarity : kCodeMeasures) {
      const double value = similarity(Codes(a), Codes(b));
      EXPECT_DOUBLE_EQ(value, similarity(Codes(b), Codes(a)));
      EXPECT_GE(value, 0);
      EXPECT_LE(value, 1);
      EXPECT_EQ(similarity(Codes(a), Codes(a)), a.empty() ? 0 : 1) << a;
      EXPECT_EQ(similarity(Codes(a), Codes("")), 0);
    }
    const size_t both = a.size() + b.size();
    const double expected =
        both == 0 ? 0 : 2 * static_cast<double>(LongestSlowly(a, b)) / static_cast<double>(both);
    EXPECT_DOUBLE_EQ(CommonSubsequence(Codes(a), Codes(b)), expected);
  }
}

}  // namespace
}  // namespace zhiwen
