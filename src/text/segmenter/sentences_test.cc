#include "zhiwen/sentences.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace zhiwen {
namespace {

std::vector<std::string> SentencesOf(std::string_view text, const SentenceOptions& options = {}) {
  std::vector<std::string> found;
  VisitSentences(text, options, [&](ByteSpan span) {
    found.emplace_back(text.substr(span.begin.value, span.size()));
  });
  return found;
}

constexpr SentenceOptions kClauses = {.sentence_class = SentenceClass::kClause};

TEST(Sentences, EndBehindTheirMarksAndWhatCloses) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> cases = {
      {"", {}},
      {" \n　", {}},
      {"天亮了。走吧！好？行；", {"天亮了。", "走吧！", "好？", "行；"}},
      {"他说：“走吧！”她没有动。", {"他说：“走吧！”", "她没有动。"}},
      {"真的吗？！……（是的。）好", {"真的吗？！……", "（是的。）", "好"}},
      {"一行，没有句号\n\n二行", {"一行，没有句号", "二行"}},
      {"It is 3.14. Yes! a.b", {"It is 3.14.", "Yes!", "a.b"}},
      {"“引文”后面还有。", {"“引文”后面还有。"}},
      {"\xE4\xBD。\xFF", {"\xE4\xBD。", "\xFF"}},
      // A weaker mark may follow one that ends a sentence.
      {"好！.好", {"好！.", "好"}},
      {"好?！好!?好?.好", {"好?！", "好!?", "好?.", "好"}},
      // ASCII marks are marks between Han characters, but not inside Latin text.
      {"真的?真的!A股;好", {"真的?", "真的!", "A股;", "好"}},
      {"见a.com/?id=1;b!c。完", {"见a.com/?id=1;b!c。", "完"}},
      // Full stops.
      {"他走了.她来了...好", {"他走了.", "她来了...", "好"}},
      {"他走了．３．１４是数．完", {"他走了．３．１４是数．", "完"}},
      {"U.S.政府 1.前言 3.5%", {"U.S.政府 1.前言 3.5%"}},
      {"(See p. 3.) Next", {"(See p.", "3.)", "Next"}},
      // An item number may be at the beginning of a line.
      {"1. 安装\n 2. 运行", {"1. 安装", "2. 运行"}},
      {"12. 安装. 3. 运行", {"12. 安装.", "3.", "运行"}},
      {"2.1. 安装\na. 甲\n３． 乙", {"2.1. 安装", "a. 甲", "３． 乙"}},
      {"ab. 安装\n1.. 二", {"ab.", "安装", "1..", "二"}},
      // A sentence continues when a comma follows its mark.
      {"他说“好！”，然后走了。", {"他说“好！”，然后走了。"}},
      {"1,2,…，n。“走！”、“来！”：好", {"1,2,…，n。", "“走！”、“来！”：好"}},
      {"好！,好?:好！ ，好", {"好！,好?:好！", "，好"}},
      // An opening straight quote begins a sentence, a closing one ends it.
      {"\"走吧!\"她说。\"不去。我不去。\"他笑了",
       {"\"走吧!\"", "她说。", "\"不去。", "我不去。\"", "他笑了"}},
      {"Don't! 'No.' It isn't.", {"Don't!", "'No.'", "It isn't."}},
      {"差一个\"。\n下一行。\"好", {"差一个\"。", "下一行。", "\"好"}},
  };
  for (const auto& [text, sentences] : cases) EXPECT_EQ(SentencesOf(text), sentences) << text;
}

TEST(Sentences, AreMadeOfClauses) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> cases = {
      {"他说：“好！”，然后，走了。", {"他说：", "“好！”，", "然后，", "走了。"}},
      {"甲、乙，丙,丁:戊；己", {"甲、乙，", "丙,", "丁:", "戊；", "己"}},
      {"Yes, 1,000 at 10:30: a,b", {"Yes,", "1,000 at 10:30:", "a,b"}},
      {"“走！”、“来！”", {"“走！”、“来！”"}}};
  for (const auto& [text, clauses] : cases) EXPECT_EQ(SentencesOf(text, kClauses), clauses) << text;
}

TEST(Sentences, StopWhenTheyAreCancelled) {
  std::string text;
  for (int i = 0; i < 50'000; ++i) text += "好。";
  Cancellation cancellation;
  size_t visited = 0;
  VisitSentences(text, {.cancellation = &cancellation}, [&](ByteSpan) {
    ++visited;
    cancellation.Request(ErrorCode::kInterrupted);
  });
  EXPECT_LT(visited, 20'000u);
}

// For any text, every character except white space is in exactly one sentence, and lines are
// independent, so that a text may be read some lines at a time.
TEST(Sentences, TakeEverythingAndLinesAreApart) {
  const std::vector<std::string> pieces = {"好", "a",    "3",  "。", "！", ".",  "．", "!", "?",
                                           "；", "\"",   "'",  "”",  "）", ")",  "，", " ", "　",
                                           "\r", "\xFF", "Ａ", "/",  ",",  "：", "、", ":"};
  std::mt19937 random(7);
  const auto make = [&] {
    std::string text;
    for (size_t i = random() % 12; i > 0; --i) text += pieces[random() % pieces.size()];
    return text;
  };
  const auto without_space = [](std::string text) {
    for (const std::string_view space : {" ", "　", "\r"}) {
      for (size_t at = 0; (at = text.find(space, at)) != std::string::npos;) {
        text.erase(at, space.size());
      }
    }
    return text;
  };
  for (int round = 0; round < 3000; ++round) {
    const std::string first = make(), second = make();
    std::vector<std::string> both = SentencesOf(first);
    std::string joined;
    for (const std::string& sentence : both) {
      ASSERT_FALSE(sentence.empty());
      joined += without_space(sentence);
    }
    ASSERT_EQ(joined, without_space(first));
    std::vector<uint64_t> clause_ends;
    VisitSentences(first, kClauses, [&](ByteSpan span) { clause_ends.push_back(span.end.value); });
    VisitSentences(first, {}, [&](ByteSpan span) {
      ASSERT_TRUE(std::ranges::binary_search(clause_ends, span.end.value)) << first;
    });
    for (std::string& sentence : SentencesOf(second)) both.push_back(std::move(sentence));
    ASSERT_EQ(SentencesOf(first + "\n" + second), both) << first << "\n" << second;
  }
}

}  // namespace
}  // namespace zhiwen
