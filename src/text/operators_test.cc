// Which operators are units of folded.v3, by what stands beside them.
#include "text/operators.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "text/channel_view.h"
#include "text/fold.h"

namespace zhiwen {
namespace {

using testing::ElementsAre;

// The units of a text, separated by blanks.
std::string UnitsOf(std::string_view text, const Channel& channel = FoldedChannel()) {
  const SpannedSymbols seen = ComputeSymbols(channel, text).value();
  std::string units;
  for (size_t i = 0; i < seen.symbols.size(); ++i) {
    const ByteSpan span = seen.spans[i];
    if (!units.empty()) units += ' ';
    units += channel.view().NameIn(text.substr(span.begin.value, span.size()), seen.symbols[i]);
  }
  return units;
}

TEST(OperatorsTest, SumsAndFormulasKeepTheirOperators) {
  EXPECT_EQ(UnitsOf("38/12"), "38 / 12");
  EXPECT_EQ(UnitsOf("38 / 12"), "38 / 12");
  EXPECT_EQ(UnitsOf("38-12 * 5%7"), "38 - 12 * 5 % 7");
  EXPECT_EQ(UnitsOf("a*b{x}"), "a * b { x }");
  EXPECT_EQ(UnitsOf("a/b[x]"), "a / b [ x ]");
  EXPECT_EQ(UnitsOf("(a+b)*(c-1) = -x^-2"), "a + b * c - 1 = - x ^ - 2");
  EXPECT_EQ(UnitsOf("2**3, x_1, \\frac{a}{b}"), "2 * * 3 x _ 1 \\ frac { a } { b }");
  EXPECT_EQ(UnitsOf("10⁻³ m"), "10 - 3 m");
  EXPECT_EQ(UnitsOf("-5 and !x != y"), "- 5 and ! x ! = y");
}

TEST(OperatorsTest, CodeDatesAndAddressesKeepTheirOperators) {
  EXPECT_EQ(UnitsOf("if (a[i] % 2 == 0 && !b) { p->x -= *q; }"),
            "if a [ i ] % 2 = = 0 & & ! b { p - > x - = q }");
  EXPECT_EQ(UnitsOf("#include std::map @Override C# C#语言"),
            "# include std : map @ override c # c # 语 言");
  EXPECT_EQ(UnitsOf("std::\nmap std:: map"), "std : map std : map");
  EXPECT_EQ(UnitsOf("2024-05-17 10:30, 2024/05/17"), "2024 - 05 - 17 10 : 30 2024 / 05 / 17");
  EXPECT_EQ(UnitsOf("https://a.cn/b_c/d-2?x=1&y=%20#top"),
            "https / / a cn / b _ c / d - 2 ? x = 1 & y = % 20 # top");
  EXPECT_EQ(UnitsOf("tom@example.com AT&T TCP/IP"), "tom @ example com at & t tcp / ip");
  EXPECT_EQ(UnitsOf("$a*$b, x = [-y, {z}]"), "$ a * $ b x = [ - y { z } ]");
}

TEST(OperatorsTest, AHyphenBetweenLettersIsProse) {
  for (const char* text : {"a well-known fact", "a well‐known fact", "a well–known — fact",
                           "a well -- known – fact", "a well − known fact", "— a well known fact",
                           "a \"well\"-'known' (fact)", "a “well” – ‘known’ fact —"}) {
    EXPECT_EQ(UnitsOf(text), "a well known fact") << text;
  }
}

TEST(OperatorsTest, AllDashesBesideADigitAreOne) {
  for (const char* text :
       {"pages 10-20", "pages 10–20", "pages 10—20", "pages 10--20", "pages 10 - 20",
        "pages 10 −20", "pages １０－２０", "pages 10‑20", "(pages “10” – 20)"}) {
    EXPECT_EQ(UnitsOf(text), "pages 10 - 20") << text;
  }
  EXPECT_EQ(UnitsOf("in 2010 – the year; COVID-19"), "in 2010 - the year covid - 19");
}

TEST(OperatorsTest, MarkdownAndDecorationDrop) {
  for (const char* text :
       {"# Title word 5 end", "## Title **word** 5 end", "* Title *word* 5 _end_",
        "- Title __word__ 5 end", "### Title word 5 end ###", "Title word 5 end ----",
        "**** Title word 5 end ****", "---\nTitle word 5\n* * *\nend", "Title word_, 5 *end*."}) {
    EXPECT_EQ(UnitsOf(text), "title word 5 end") << text;
  }
  EXPECT_EQ(UnitsOf("|---|:-:|\n| **a** | - |"), "| | | | a | |");
  EXPECT_EQ(UnitsOf("//// a //// b &&& c ___ d"), "a b c d");
}

TEST(OperatorsTest, EscapesOfMarkdownDrop) {
  for (const char* text : {"snake_case 5-3 a/b f[x] C#", "snake\\_case 5\\-3 a\\/b f\\[x\\] C\\#",
                           "snake＼＿case 5＼－3 a\\／b f\\[x\\] C\u200b\\\u200b#"}) {
    EXPECT_EQ(UnitsOf(text), "snake _ case 5 - 3 a / b f [ x ] c #") << text;
  }
  EXPECT_EQ(UnitsOf("C:\\path \\\\x a\\ b"), "c \\ path \\ x a b");
}

TEST(OperatorsTest, PunctuationBetweenChineseCharactersDrops) {
  EXPECT_EQ(UnitsOf("和/或、是-否：2018年-2019年[注]"), "和 或 是 否 2018 年 2019 年 注");
  EXPECT_EQ(UnitsOf("使用A/B测试，见[3]。增长5%，#话题#"), "使 用 a / b 测 试 见 3 增 长 5 话 题");
  EXPECT_EQ(UnitsOf("한국-1 か/a"), "한 국 1 か a");
  const std::string full = "使用Ａ／Ｂ测试，比分３：２；型号Ｆ－３５！单价（元）：５０？";
  const std::string half = "使用A/B测试,比分3:2;型号F-35!单价(元):50?";
  EXPECT_EQ(UnitsOf(full), UnitsOf(half));
  EXPECT_EQ(UnitsOf(half), "使 用 a / b 测 试 比 分 3 : 2 型 号 f - 35 单 价 元 50");
}

TEST(OperatorsTest, WidthAndInvisibleCharactersChangeNothing) {
  EXPECT_EQ(UnitsOf("３８／１２　ａ＊（ｂ）［ｘ］！＝ｃ＿１　ｓｔｄ：：ｘ"),
            UnitsOf("38/12 a*(b)[x]!=c_1 std::x"));
  EXPECT_EQ(UnitsOf("3\u200b8\u200c/\u200d1\ufeff2 a\u2060*\u200bb"), UnitsOf("38/12 a*b"));
}

TEST(OperatorsTest, LooksAtItsLineAndNoFartherThanItsReach) {
  const std::string blanks(kOperatorReach - 1, ' ');
  EXPECT_EQ(UnitsOf("a/" + blanks + "b"), "a / b");
  EXPECT_EQ(UnitsOf("中" + blanks + "/b"), "中 b");
  EXPECT_EQ(UnitsOf("中 " + blanks + "/b"), "中 / b");
  EXPECT_EQ(UnitsOf("5 -" + blanks + "b"), "5 - b");
  EXPECT_EQ(UnitsOf("5 - " + blanks + "b"), "5 b");
  EXPECT_EQ(UnitsOf("中\n/b\n中"), "中 / b 中");
}

TEST(OperatorsTest, OlderVersionsDropThem) {
  for (const Channel& channel : {FoldedV1Channel(), FoldedV2Channel()}) {
    EXPECT_EQ(UnitsOf("38/12 a*b[x]", channel), "38 12 a b x") << channel.name();
    EXPECT_EQ(UnitsOf("2−1", channel), "2 − 1") << channel.name();
  }
}

TEST(OperatorsTest, ASpanIsThatOfTheOperator) {
  const SpannedSymbols seen = ComputeSymbols(FoldedChannel(), "3／4 -- 5").value();
  EXPECT_THAT(seen.spans, ElementsAre(ByteSpan{{0}, {1}}, ByteSpan{{1}, {4}}, ByteSpan{{4}, {5}},
                                      ByteSpan{{6}, {7}}, ByteSpan{{9}, {10}}));
  EXPECT_EQ(seen.disguise.compatibility, 1U);
  EXPECT_EQ(seen.disguise.symbols, 0U);
}

}  // namespace
}  // namespace zhiwen
