// The channel loose.v1: each step by its rule, and against a slow definition of dropping.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
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
  EXPECT_NE(Loose("知★★★★★文"), Loose("知文"));  // five are a ruler
  for (const char* kept : {"★知", "知★", "知★\n文", "a★文", "知★ab文", "知★か"}) {
    EXPECT_EQ(Loose(kept), Compute(FoldedChannel(), kept)) << kept;
  }
}

TEST(LooseTest, NumberCharactersAreDigitsOfARun) {
  EXPECT_EQ(Loose("二〇一六年，壹贰叁，③㈣"), Loose("2016年，123，3(4)"));
  EXPECT_EQ(Loose("二○一六年"), Loose("2016年"));
  EXPECT_EQ(Loose("三.一四和貳拾陸"), Loose("3.14和2十6"));
  EXPECT_NE(Loose("三十"), Loose("30"));  // characters, not values
}

TEST(LooseTest, ACharacterOfSlangIsTheCommonOne) { EXPECT_EQ(Loose("莪の莄"), Loose("我的莄")); }

TEST(LooseTest, EachStepCanBeLeftOut) {
  const std::string text = "知★文三莪";
  const Channel none = *OpenChannel("loose(slang=no,numbers=no,drop_symbols=no)");
  EXPECT_EQ(none.name(), "loose.v1(drop_symbols=no,numbers=no,slang=no)");
  EXPECT_EQ(Compute(none, text), Compute(FoldedChannel(), text));
  EXPECT_EQ(Compute(*OpenChannel("loose(drop_symbols=no)"), text),
            (Symbols{U'知', U'★', U'文', U'3', U'我'}));
  EXPECT_EQ(Compute(*OpenChannel("loose(numbers=no)"), text),
            (Symbols{U'知', U'文', U'三', U'我'}));
  EXPECT_EQ(Compute(*OpenChannel("loose(slang=no)"), text), (Symbols{U'知', U'文', U'3', U'莪'}));
  EXPECT_FALSE(OpenChannel("loose(slang=maybe)"));
}

// The definition of drop_symbols, for texts whose symbols are all single code points.
Symbols DropByDefinition(const std::string& text) {
  static const Channel kept = *OpenChannel("loose(drop_symbols=no)");
  Symbols result;
  size_t from = 0;
  for (size_t end = 0; from < text.size(); from = end + 1) {
    end = std::min(text.find('\n', from), text.size());
    const Symbols line = Compute(kept, text.substr(from, end - from));
    const auto is_han = [&](size_t i) { return line[i] >= 0x4E00 && line[i] < 0xA000; };
    const auto is_symbol = [&](size_t i) { return line[i] == U'★' || line[i] == U'+'; };
    for (size_t i = 0; i < line.size(); ++i) {
      size_t begin = i, after = i;
      while (begin > 0 && is_symbol(begin - 1)) --begin;
      while (after < line.size() && is_symbol(after)) ++after;
      const bool drops = is_symbol(i) && begin > 0 && is_han(begin - 1) && after < line.size() &&
                         is_han(after) && after - begin <= 4;
      if (!drops) result.push_back(line[i]);
    }
  }
  return result;
}

TEST(LooseTest, DroppingIsAsDefinedInBothFormsAndLineByLine) {
  static constexpr const char* kParts[] = {"知", "文★", "★",  "+",  "\n",
                                           "三", "か",  "。", "a ", "引擎"};
  const Channel channel = *OpenChannel("loose");
  std::mt19937 random(1);
  for (int round = 0; round < 5000; ++round) {
    std::string text;
    for (size_t i = random() % 20; i > 0; --i) text += kParts[random() % std::size(kParts)];
    const Symbols expected = DropByDefinition(text);
    ASSERT_EQ(Compute(channel, text), expected) << text;
    ASSERT_EQ(channel.view().Explain(text).symbols, expected) << text;
  }
  // Longer than a buffer, so that the character before a symbol was handed on already.
  std::string text;
  for (int i = 0; i < 20000; ++i) text += i % 7 == 0 ? "★" : "文";
  EXPECT_EQ(Compute(channel, text), DropByDefinition(text));
}

TEST(LooseTest, EveryStepIsCounted) {
  const auto counts = ComputeSymbols(*OpenChannel("loose"), "三人★莪の著")->disguise;
  EXPECT_EQ(counts.numbers, 1U);
  EXPECT_EQ(counts.slang, 2U);
  EXPECT_EQ(counts.inserted, 1U);
  EXPECT_EQ(counts.variants, 1U);
}

}  // namespace
}  // namespace zhiwen
