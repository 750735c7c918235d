#include "match/passages/word_rules.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "zhiwen/passages.h"

namespace zhiwen {
namespace {

constexpr std::string_view kFlood =
    "The river had risen during the night, and the old bridge below the mill was under water by "
    "the morning. Nobody in the village remembered such a flood. The miller carried his flour "
    "upstairs, sack after sack, while his daughters drove the cattle to the hill behind the "
    "church.";
constexpr std::string_view kReworded =
    "When morning came, the old bridge was gone under water, for the river rose during the night. "
    "In the village nobody could recall such a flood before. Sack after sack of his flour the "
    "miller then carried up, and his two daughters drove cattle towards the hill behind ";

std::vector<CopiedPassage> PassagesOf(std::string_view copy) {
  auto found = FindPassages(copy, kFlood, {}, {});
  EXPECT_TRUE(found.has_value());
  return found ? found->passages : std::vector<CopiedPassage>();
}

TEST(WordRules, ARewordedTextIsFoundByPairsOfItsWords) {
  const std::string copy = std::string(kReworded) + "the church.";
  const std::vector<CopiedPassage> passages = PassagesOf(copy);
  ASSERT_EQ(passages.size(), 1u);
  const ByteSpan& bytes = passages.front().a_bytes;
  const std::string_view passage = std::string_view(copy).substr(bytes.begin.value, bytes.size());
  EXPECT_TRUE(passage.starts_with("the old bridge")) << passage;
  EXPECT_TRUE(passage.ends_with("the church")) << passage;
}

TEST(WordRules, APassageHasFourWordsInARow) {
  EXPECT_TRUE(PassagesOf(std::string(kReworded) + "their church.").empty());
}

TEST(WordRules, OnlyTextsOfWordsHaveThem) {
  const PassageRules rules;
  const auto fitted = [&](const std::vector<float>& weights) {
    return FitToWords(rules, WeightSums(weights)).seed;
  };
  EXPECT_EQ(fitted({1, 1, 1, 1}), rules.seed);
  EXPECT_EQ(fitted({1, 2, 1, 1}), rules.seed);
  EXPECT_EQ(fitted({}), rules.seed);
  EXPECT_LT(fitted({2, 1.2F, 2, 0.8F}), rules.seed);
}

}  // namespace
}  // namespace zhiwen
