#include "text/grapheme.h"

#include <gtest/gtest.h>

#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "text/fold_oracle_test_support.h"

namespace zhiwen {
namespace {

std::vector<size_t> ClusterEnds(const std::vector<uint32_t>& text) {
  std::vector<size_t> ends;
  for (size_t at = 0; at < text.size();) {
    GraphemeCluster cluster(LookUpFold(text[at]).grapheme_break());
    do ++at;
    while (at < text.size() && cluster.Accept(LookUpFold(text[at]).grapheme_break()));
    ends.push_back(at);
  }
  return ends;
}

TEST(GraphemeTest, PassesTheTestsOfUnicode) {
  std::ifstream file("/usr/share/unicode/auxiliary/GraphemeBreakTest.txt");
  if (!file) GTEST_SKIP() << "unicode-data is not installed";
  int cases = 0;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line.substr(0, line.find('#')));
    std::vector<uint32_t> text;
    std::vector<size_t> expected;
    for (std::string word; words >> word;) {
      if (word == "÷") {
        if (!text.empty()) expected.push_back(text.size());
      } else if (word != "×") {
        text.push_back(static_cast<uint32_t>(std::stoul(word, nullptr, 16)));
      }
    }
    if (text.empty()) continue;
    ++cases;
    EXPECT_EQ(ClusterEnds(text), expected) << line;
  }
  EXPECT_GT(cases, 500);
}

TEST(GraphemeTest, EqualsIcuOnRandomTexts) {
  std::mt19937 random(1);
  std::vector<std::vector<uint32_t>> by_break(16);
  for (uint32_t c = 0; c < 0x110000; ++c) {
    if (c >= 0xD800 && c < 0xE000) continue;
    by_break[static_cast<size_t>(LookUpFold(c).grapheme_break())].push_back(c);
  }
  for (int round = 0; round < 60000; ++round) {
    std::vector<uint32_t> text;
    for (size_t length = 1 + random() % 10; length > 0; --length) {
      const auto& all = by_break[random() % 15];
      text.push_back(all[random() % all.size()]);
    }
    ASSERT_EQ(ClusterEnds(text), ClusterEndsByIcu(text));
  }
}

TEST(GraphemeTest, CutsAnEndlessCluster) {
  const std::vector<uint32_t> text(2 * kMaxClusterLength + 7, 0x301);
  const std::vector<size_t> expected = {kMaxClusterLength, 2 * kMaxClusterLength, text.size()};
  EXPECT_EQ(ClusterEnds(text), expected);
}

}  // namespace
}  // namespace zhiwen
