// Tests each step of the channel loose.v1 by its rule, and dropping against a direct definition.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "text/channel_view.h"
#include "text/fold.h"
#include "zhiwen/channel.h"

namespace zhiwen {
namespace {

using Symbols = std::vector<uint32_t>;

Symbols Compute(const Channel& channel, std::string_view text) {
  Symbols symbols;
  channel.view().ComputeInto(text, symbols);
  return symbols;
}

Symbols Loose(std::string_view text) {
  static const Channel channel = *OpenChannel("loose");
  return Compute(channel, text);
}

TEST(LooseTest, ASymbolBetweenTwoHanOfALineIsDropped) {
  EXPECT_EQ(Loose("知★文+引。☆擎"), Loose("知文引擎"));
  EXPECT_EQ(Loose("知★★★★文"), Loose("知文"));
  EXPECT_NE(Loose("知★★★★★文"), Loose("知文"));  // five symbols are a ruler
  for (const char* kept : {"★知", "知★", "知★\n文", "a★文", "知★ab文", "知★か"}) {
    EXPECT_EQ(Loose(kept), Compute(FoldedV2Channel(), kept)) << kept;
  }
}

TEST(LooseTest, ANumberCharacterIsHan) {
  const std::string_view disguised = "要统★一思想，唯☆一办法是第●壹时间";
  EXPECT_EQ(Loose(disguised), Loose("要统一思想，唯一办法是第一时间"));
  EXPECT_EQ(ComputeSymbols(*OpenChannel("loose"), disguised)->disguise.inserted, 3U);
  EXPECT_EQ(Loose("统★一★二○★六"), Loose("统1206"));
  EXPECT_EQ(Loose("3★三"), (Symbols{'3', U'★', '3'}));
  EXPECT_EQ(Loose("一\xE4\xBD二"), Loose("一二"));  // an invalid byte is a symbol, U+FFFD
}

TEST(LooseTest, NumberCharactersAndDigitsBesideThemAreOneRun) {
  EXPECT_EQ(Loose("二〇一六年，壹贰叁，㈣③"), Loose("2016年，12343"));
  EXPECT_EQ(Loose("二○一六年二０１❻年二0一陆"), Loose("2016年2016年2016"));
  EXPECT_EQ(Loose("貳拾陸"), Loose("2十6"));
  EXPECT_NE(Loose("三十"), Loose("30"));  // characters are mapped, not values
  for (const char* same : {"第一二班", "第一，二班", "第一、 二班", "第1贰班"}) {
    EXPECT_EQ(Loose(same), Loose("第12班")) << same;
  }
  EXPECT_EQ(Loose("三.一四，3.一四"),
            Loose("314314"));  // a point beside a number character is dropped
  EXPECT_EQ(Loose("v二和三d"), (Symbols{'v', '2', U'和', '3', 'd'}));
  EXPECT_EQ(Loose("3.5二和v3三"), Loose("3.5 2和v3 3"));
  EXPECT_EQ(Loose("一\n二"), (Symbols{'1', '2'}));
  const std::string longest(32, '7');
  EXPECT_EQ(Loose("一" + longest), Loose("1" + longest));
  EXPECT_EQ(Loose("一7" + longest), Loose("1 7" + longest));
}

TEST(LooseTest, ACharacterOfSlangIsTheCommonOne) { EXPECT_EQ(Loose("莪の莄"), Loose("我的莄")); }

TEST(LooseTest, EachStepCanBeLeftOut) {
  const std::string text = "知★文三莪";
  const Channel none = *OpenChannel("loose(slang=no,numbers=no,drop_symbols=no)");
  EXPECT_EQ(none.name(), "loose.v1(drop_symbols=no,numbers=no,slang=no)");
  EXPECT_EQ(Compute(none, text), Compute(FoldedV2Channel(), text));
  EXPECT_EQ(Compute(*OpenChannel("loose(drop_symbols=no)"), text),
            (Symbols{U'知', U'★', U'文', U'3', U'我'}));
  EXPECT_EQ(Compute(*OpenChannel("loose(numbers=no)"), text),
            (Symbols{U'知', U'文', U'三', U'我'}));
  EXPECT_EQ(Compute(*OpenChannel("loose(slang=no)"), text), (Symbols{U'知', U'文', U'3', U'莪'}));
  EXPECT_FALSE(OpenChannel("loose(slang=maybe)"));
  for (const char* name : {"loose()", "loose(,)", "loose(numbers=no,)", "loose(,numbers=no)"}) {
    const auto refused = OpenChannel(name);
    ASSERT_FALSE(refused) << name;
    EXPECT_THAT(refused.error().message, testing::HasSubstr("a parameter is missing")) << name;
  }
}

bool IsHan(uint32_t unit) { return unit == U'〇' || (unit >= 0x4E00 && unit < 0xA000); }
bool IsSymbol(uint32_t unit) { return unit == U'★' || unit == U'+'; }

Symbols DropByDefinition(const Symbols& line) {
  Symbols result;
  for (size_t i = 0; i < line.size(); ++i) {
    size_t begin = i, after = i;
    while (begin > 0 && IsSymbol(line[begin - 1])) --begin;
    while (after < line.size() && IsSymbol(line[after])) ++after;
    const bool drops = IsSymbol(line[i]) && begin > 0 && IsHan(line[begin - 1]) &&
                       after < line.size() && IsHan(line[after]) && after - begin <= 4;
    if (!drops) result.push_back(line[i]);
  }
  return result;
}

// Returns the digits of a number character, or of a run that is 3 or 16.
std::string DigitsOf(uint32_t unit) {
  if (unit == U'三' || unit == U'叁' || unit == U'3') return "3";
  if (unit == U'〇') return "0";
  return unit == Compute(FoldedV2Channel(), "16")[0] ? "16" : "";
}

Symbols NumbersByDefinition(const Symbols& line) {
  const auto is_number = [&](size_t i) { return IsHan(line[i]); };
  Symbols result;
  for (size_t i = 0; i < line.size();) {
    std::string digits = DigitsOf(line[i++]);
    if (digits.empty()) {
      result.push_back(line[i - 1]);
      continue;
    }
    while (i < line.size() && !DigitsOf(line[i]).empty() && (is_number(i - 1) || is_number(i))) {
      digits += DigitsOf(line[i++]);
    }
    result.push_back(Compute(FoldedV2Channel(), digits)[0]);
  }
  return result;
}

// Computes loose symbols of texts whose units are single code points and the runs 3 and 16.
Symbols LooseByDefinition(const std::string& text) {
  static const Channel folded = *OpenChannel("loose(drop_symbols=no,numbers=no)");
  Symbols result;
  size_t from = 0;
  for (size_t end = 0; from < text.size(); from = end + 1) {
    end = std::min(text.find('\n', from), text.size());
    const Symbols line = Compute(folded, text.substr(from, end - from));
    std::ranges::copy(NumbersByDefinition(DropByDefinition(line)), std::back_inserter(result));
  }
  return result;
}

TEST(LooseTest, IsAsDefinedInBothFormsAndLineByLine) {
  static constexpr const char* kParts[] = {"知", "文★", "★",  "+",  "\n",  "三",  "か",
                                           "。", "a ",  "引", "〇", "16 ", "３ ", "叁★"};
  const Channel channel = *OpenChannel("loose");
  std::mt19937 random(1);
  for (int round = 0; round < 5000; ++round) {
    std::string text;
    for (size_t i = random() % 20; i > 0; --i) text += kParts[random() % std::size(kParts)];
    const Symbols expected = LooseByDefinition(text);
    ASSERT_EQ(Compute(channel, text), expected) << text;
    ASSERT_EQ(channel.view().Explain(text).symbols, expected) << text;
  }
  // The text is longer than a buffer, so that the character before a symbol was already passed on.
  std::string text;
  for (int i = 0; i < 20000; ++i) text += i % 7 == 0 ? "★" : "文";
  EXPECT_EQ(Compute(channel, text), LooseByDefinition(text));
}

// Spellings of a text that are equal on folded, within one line, are equal on loose.
TEST(LooseTest, SeesThroughWhatFoldedSeesThrough) {
  const std::vector<std::vector<std::string>> spellings = {{"一", "一，", "一.", "一\u200b"},
                                                           {"三", "㆔", "三、"},
                                                           {"壹", "壹 "},
                                                           {"国", "國。"},
                                                           {"16", "１６", "16，", "❶６"},
                                                           {"⑩", "❿", "10"},
                                                           {"㏠", "1日"},
                                                           {"½", "1⁄2"},
                                                           {"a", "Ａ ", "a."},
                                                           {"★", "★，"},
                                                           {"ㄉ", "ㄉ，"},
                                                           {"3.5", "3．5 "},
                                                           {"〇", "〇;"},
                                                           {"2\u0301", "2\u0301 "}};
  std::mt19937 random(2);
  size_t equal = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string one, other;
    for (size_t i = 1 + random() % 6; i > 0; --i) {
      const auto& spelling = spellings[random() % spellings.size()];
      one += spelling[random() % spelling.size()];
      other += spelling[random() % spelling.size()];
    }
    if (Compute(FoldedV2Channel(), one) != Compute(FoldedV2Channel(), other)) continue;
    equal += one != other ? 1 : 0;
    ASSERT_EQ(Loose(one), Loose(other)) << one << " and " << other;
  }
  EXPECT_GT(equal, 4000U);
}

TEST(LooseTest, EveryStepIsCounted) {
  const auto counts = ComputeSymbols(*OpenChannel("loose"), "三人★莪の著")->disguise;
  EXPECT_EQ(counts.numbers, 1U);
  EXPECT_EQ(counts.slang, 2U);
  EXPECT_EQ(counts.inserted, 1U);
  EXPECT_EQ(counts.variants, 1U);
  const auto numbers = ComputeSymbols(*OpenChannel("loose"), "〇貳㆔○和❶①");
  EXPECT_EQ(numbers->disguise.numbers, 4U);
  EXPECT_EQ(numbers->disguise.compatibility, 3U);
  EXPECT_EQ(numbers->disguise.inserted, 0U);
  EXPECT_EQ(numbers->spans, (std::vector<ByteSpan>{{{0}, {12}}, {{12}, {15}}, {{15}, {21}}}));
}

}  // namespace
}  // namespace zhiwen
