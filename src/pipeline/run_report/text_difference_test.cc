#include "pipeline/run_report/text_difference.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <tuple>

#include "base/utf8/utf8.h"

namespace zhiwen {
namespace {

using Kind = TextPart::Kind;

// One line a part: "=" shared, "~" folded, "-" only here, "…" omitted, "✂" cut.
std::string Describe(const ShownText& text) {
  std::string out;
  for (const TextPart& part : text) {
    static constexpr const char* kMarks[] = {"=", "~", "-", "…", "✂"};
    out += kMarks[static_cast<size_t>(part.kind)];
    out += part.text.empty() ? std::to_string(part.code_points) : part.text;
    out += '|';
  }
  return out;
}

TextPair Show(std::string_view a, std::string_view b, const Channel& channel = FoldedChannel()) {
  return ShowDifference(channel, a, b).value();
}

TEST(TextDifference, EqualTextsAreOneSharedPart) {
  const TextPair pair = Show("春眠不觉晓，处处闻啼鸟。", "春眠不觉晓，处处闻啼鸟。");
  EXPECT_EQ(Describe(pair.a), "=春眠不觉晓，处处闻啼鸟。|");
  EXPECT_EQ(pair.a, pair.b);
}

TEST(TextDifference, ChineseDiffersByCharacterAndEnglishByWord) {
  TextPair pair = Show("今天天气真好，我们去公园吧", "今天天气很好，我们去公园吧");
  EXPECT_EQ(Describe(pair.a), "=今天天气|-真|=好，我们去公园吧|");
  EXPECT_EQ(Describe(pair.b), "=今天天气|-很|=好，我们去公园吧|");
  pair = Show("the quick brown fox jumps over it", "the quick green fox jumps over it");
  EXPECT_EQ(Describe(pair.a), "=the quick |-brown|= fox jumps over it|");
  EXPECT_EQ(Describe(pair.b), "=the quick |-green|= fox jumps over it|");
}

TEST(TextDifference, OtherScriptWidthAndPunctuationAreSpellings) {
  const TextPair pair = Show("春眠不覺曉，處", "春眠不觉晓。处");
  EXPECT_EQ(Describe(pair.a), "=春眠不|~覺曉，處|");
  EXPECT_EQ(Describe(pair.b), "=春眠不|~觉晓。处|");
  EXPECT_EQ(Describe(Show("ＡＢＣ在这里等你们", "abc在这里等你们").a), "~ＡＢＣ|=在这里等你们|");
}

TEST(TextDifference, InsertedInvisibleCharactersAreASpelling) {
  const TextPair pair = Show("麻姑闻\u200b百花仙子", "麻姑闻百花仙子");
  EXPECT_EQ(Describe(pair.a), "=麻姑闻|~\u200b|=百花仙子|");
  EXPECT_EQ(Describe(pair.b), "=麻姑闻百花仙子|");
}

TEST(TextDifference, AddedBeginningsAndEndsAreOnlyThere) {
  const TextPair pair = Show("转载：白日依山尽黄河入海流。关注我们", "白日依山尽黄河入海流。");
  EXPECT_EQ(Describe(pair.a), "-转载：|=白日依山尽黄河入海流。|-关注我们|");
  EXPECT_EQ(Describe(pair.b), "=白日依山尽黄河入海流。|");
}

TEST(TextDifference, MovedPassagesAreShared) {
  const TextPair pair = Show("床前明月光疑是地上霜举头望明月", "举头望明月床前明月光疑是地上霜");
  EXPECT_EQ(Describe(pair.a), "=床前明月光疑是地上霜举头望明月|");
  EXPECT_EQ(Describe(pair.b), "=举头望明月床前明月光疑是地上霜|");
}

TEST(TextDifference, PassagesThatRepeatAreSharedEachTime) {
  const TextPair pair = Show("桃花源里可耕田甲桃花源里可", "桃花源里可耕田乙桃花源里可");
  EXPECT_EQ(Describe(pair.a), "=桃花源里可耕田|-甲|=桃花源里可|");
  EXPECT_EQ(Describe(pair.b), "=桃花源里可耕田|-乙|=桃花源里可|");
}

TEST(TextDifference, TheExactChannelFoldsNothing) {
  EXPECT_EQ(Describe(Show("春眠不覺曉处", "春眠不觉晓处", ExactChannel()).a), "=春眠不|-覺曉|=处|");
}

TEST(TextDifference, TextsWithoutSymbolsAreCompared) {
  EXPECT_EQ(Describe(Show("", "").a), "");
  EXPECT_EQ(Describe(Show("。。", "").a), "~。。|");
  EXPECT_EQ(Describe(Show("短", "长").a), "-短|");
  EXPECT_EQ(Describe(Show("短", "短。").b), "=短|~。|");
}

std::string Han(uint32_t seed, size_t length) {
  std::mt19937 random(seed);
  std::string text;
  for (size_t i = 0; i < length; ++i) {
    const uint32_t c = 0x5000 + static_cast<uint32_t>(random() % 4000);
    text += {static_cast<char>(0xE0 | c >> 12), static_cast<char>(0x80 | (c >> 6 & 0x3F)),
             static_cast<char>(0x80 | (c & 0x3F))};
  }
  return text;
}

uint64_t CodePoints(const ShownText& text) {
  uint64_t total = 0;
  for (const TextPart& part : text) {
    EXPECT_TRUE(part.text.empty() || part.code_points == CountCodePoints(part.text));
    total += part.code_points;
  }
  return total;
}

size_t ShownOf(const ShownText& text) {
  size_t shown = 0;
  for (const TextPart& part : text) shown += CountCodePoints(part.text);
  return shown;
}

TEST(TextDifference, LongTextsLeaveOutWhatIsTheSameAndCountIt) {
  const std::string before = Han(1, 3000), after = Han(2, 3000);
  const TextPair pair = Show(before + "甲" + after, before + "乙" + after);
  EXPECT_EQ(CodePoints(pair.a), 6001U);
  EXPECT_LE(ShownOf(pair.a), kShownCodePoints);
  EXPECT_NE(Describe(pair.a).find("|-甲|"), std::string::npos);
  EXPECT_NE(Describe(pair.a).find("…"), std::string::npos);
}

TEST(TextDifference, ShownTextIsBoundedWhateverTheTexts) {
  const std::string lines(200000, '\n');
  std::string words;
  for (int i = 0; i < 200000; ++i) words += "w" + std::to_string(i % 977) + (i % 7 ? " " : ", ");
  const std::string one_line(1 << 20, 'x');
  for (const std::string& a : {lines, words, one_line, Han(3, 400000)}) {
    for (const std::string& b : {Han(4, 5000), words.substr(5000), lines}) {
      const TextPair pair = Show(a, b);
      EXPECT_LE(ShownOf(pair.a), kShownCodePoints);
      EXPECT_LE(ShownOf(pair.b), kShownCodePoints);
      EXPECT_EQ(CodePoints(pair.a), CountCodePoints(a));
      EXPECT_EQ(CodePoints(pair.b), CountCodePoints(b));
    }
  }
}

// The slow form of the promise: what is shared or folded is found in the other text.
TEST(TextDifference, WhatIsCalledSharedIsInTheOtherText) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    std::string a = Han(static_cast<uint32_t>(round), 40);
    std::string b = a;
    for (int edit = 0; edit < 5; ++edit) {
      const size_t at = random() % 40 * 3;
      b.replace(at, 3, random() % 2 ? Han(static_cast<uint32_t>(random()), 1) : "，");
    }
    const TextPair pair = Show(a, b);
    for (const auto& [shown, own, other] : {std::tuple(pair.a, a, b), std::tuple(pair.b, b, a)}) {
      std::string joined;
      for (const TextPart& part : shown) {
        joined += part.text;
        const bool is_there = other.find(part.text) != std::string::npos;
        EXPECT_TRUE(is_there || part.kind != Kind::kShared) << Describe(shown);
      }
      EXPECT_EQ(joined, own);
    }
  }
}

TEST(TextDifference, RefusesWhatIsNotUtf8) {
  EXPECT_EQ(ShowDifference(FoldedChannel(), "\xff", "a").error().code, ErrorCode::kUnreadable);
}

}  // namespace
}  // namespace zhiwen
