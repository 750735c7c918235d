#include "zhiwen/compare.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace zhiwen {
namespace {

constexpr std::string_view kSpring = "春眠不觉晓，处处闻啼鸟。夜来风雨声，花落知多少。";
constexpr std::string_view kSpringTraditional = "春眠不覺曉，處處聞啼鳥。夜來風雨聲，花落知多少。";

Comparison Compared(std::string_view a, std::string_view b, CompareOptions options = {}) {
  Result<Comparison> comparison = Compare(a, b, options);
  EXPECT_TRUE(comparison.has_value());
  return comparison ? *std::move(comparison) : Comparison();
}

std::string_view Cut(std::string_view text, ByteSpan bytes) {
  return text.substr(bytes.begin.value, bytes.size());
}

TEST(Compare, EqualTextsResembleFullyInOneRun) {
  const Comparison comparison = Compared(kSpring, kSpring);
  EXPECT_TRUE(comparison.equal_bytes);
  EXPECT_TRUE(comparison.equal_exact);
  EXPECT_TRUE(comparison.equal_channel);
  EXPECT_EQ(comparison.resemblance, 1);
  EXPECT_EQ(comparison.a_symbols, 20u);
  ASSERT_EQ(comparison.runs.size(), 1u);
  EXPECT_EQ(comparison.longest_run, 20u);
  EXPECT_EQ(comparison.a_covered, 20u);
}

TEST(Compare, ScriptAndPunctuationDoNotHideACopy) {
  const std::string spaced = std::string(kSpringTraditional) + "\u200b";
  const Comparison comparison = Compared(kSpring, spaced);
  EXPECT_FALSE(comparison.equal_exact);
  EXPECT_TRUE(comparison.equal_channel);
  EXPECT_EQ(comparison.resemblance, 1);
  EXPECT_EQ(comparison.a_disguise.traditional, 0u);
  EXPECT_EQ(comparison.b_disguise.traditional, 9u);
  EXPECT_EQ(comparison.b_disguise.invisible, 1u);
}

TEST(Compare, TheExactChannelSeesTheDifference) {
  CompareOptions options;
  options.channel = ExactChannel();
  const Comparison comparison = Compared(kSpring, kSpringTraditional, options);
  EXPECT_FALSE(comparison.equal_channel);
  EXPECT_LT(comparison.resemblance, 0.5);
}

TEST(Compare, AQuotationIsContainedInTheLongerText) {
  const std::string essay =
      "孟浩然写道：“" + std::string(kSpring) + "”这首诗人人会背，写的是春天的早晨。";
  const Comparison comparison = Compared(kSpring, essay);
  EXPECT_EQ(comparison.containment_of_a, 1);
  EXPECT_LT(comparison.containment_of_b, 0.6);
  ASSERT_EQ(comparison.runs.size(), 1u);
  EXPECT_EQ(Cut(kSpring, comparison.runs[0].a_bytes),
            kSpring.substr(0, kSpring.size() - std::string_view("。").size()));
  EXPECT_EQ(Cut(essay, comparison.runs[0].b_bytes), Cut(kSpring, comparison.runs[0].a_bytes));
}

TEST(Compare, TextOfBThatIsReusedTwiceIsCountedOnce) {
  const std::string twice = std::string(kSpring) + "又及：" + std::string(kSpring);
  const Comparison comparison = Compared(twice, kSpring);
  EXPECT_EQ(comparison.runs.size(), 2u);
  EXPECT_EQ(comparison.a_covered, 40u);
  EXPECT_EQ(comparison.b_covered, 20u);
}

TEST(Compare, TextsUnderOneShingleMatchOnlyWhenEqual) {
  EXPECT_EQ(Compared("春眠", "春眠").resemblance, 1);
  EXPECT_EQ(Compared("春眠", "春眠。").resemblance, 0);
  EXPECT_EQ(Compared("", "").resemblance, 0);
  EXPECT_FALSE(Compared("。", "，").equal_channel);  // neither text has a symbol
  EXPECT_EQ(Compared("。", "。").resemblance, 1);    // byte-equal texts match, as in dedup
}

TEST(Compare, ARunThatIsTooShortToBeShownIsStillThere) {
  CompareOptions options;
  options.min_run = 500;
  const Comparison comparison = Compare(kSpring, "又及：" + std::string(kSpring), options).value();
  EXPECT_TRUE(comparison.runs.empty());
  EXPECT_EQ(comparison.longest_run, 20u);
  EXPECT_GT(comparison.resemblance, 0.5);
  EXPECT_EQ(Compare("天地", "玄黄", options)->longest_run, 0u);
}

TEST(Compare, CapitalLettersAreCountedAsNormalized) {
  const Comparison comparison = Compared("Ab CD 春", "ab cd 春");
  EXPECT_TRUE(comparison.equal_channel);
  EXPECT_EQ(comparison.a_disguise.letter_case, 3u);
  EXPECT_EQ(comparison.b_disguise.letter_case, 0u);
}

TEST(Compare, InvalidUtf8NamesTheTextAndTheByte) {
  CompareOptions options;
  options.b_name = "b.txt";
  const Result<Comparison> comparison = Compare("春", "ab\xff", options);
  ASSERT_FALSE(comparison.has_value());
  EXPECT_EQ(comparison.error().code, ErrorCode::kUnreadable);
  EXPECT_NE(comparison.error().message.find("\"b.txt\""), std::string::npos);
  EXPECT_NE(comparison.error().message.find("byte 2"), std::string::npos)
      << comparison.error().message;
}

TEST(Compare, JsonHoldsFiguresAndSpansOfBothTexts) {
  const CompareOptions options = {.a_name = "a\".txt", .b_name = "-"};
  const SearchedChannels searched = {
      {"folded.v3"},
      {{"pinyin", NotSearched::kNoLanguageData}, {"shape.v2", NotSearched::kNotNeeded}}};
  const std::string json = ComparisonToJson(Compared(kSpring, kSpring), {}, searched, options);
  EXPECT_NE(json.find(R"("name": "a\".txt")"), std::string::npos) << json;
  EXPECT_NE(json.find(R"("resemblance": 1,)"), std::string::npos);
  EXPECT_NE(json.find(R"("channel": "folded.v3")"), std::string::npos);
  EXPECT_NE(json.find(R"("longest_run": 20)"), std::string::npos);
  std::string packed = json;
  std::erase_if(packed, [](char c) { return c == ' ' || c == '\n'; });
  EXPECT_NE(packed.find(R"("searched":{"channels":["folded.v3"],"not_searched":[)"
                        R"({"channel":"pinyin","reason":"no_language_data"},)"
                        R"({"channel":"shape.v2","reason":"not_needed"}]})"),
            std::string::npos)
      << packed;
}

}  // namespace
}  // namespace zhiwen
