// Tests schemes over sentences and clauses.

#include <gtest/gtest.h>
#include <xxhash.h>

#include "base/digest.h"
#include "base/utf8/utf8.h"
#include "fingerprint/scheme_test_support.h"
#include "fingerprint/tagstr.h"
#include "support/language.h"

namespace zhiwen {
namespace {

std::string Md5Hex(std::string_view text) {
  return fmt::format("{:02x}", fmt::join(ComputeMd5(text), ""));
}

std::string Print(std::string_view name, std::string_view text) {
  return PrintFingerprint(ComputeFingerprint(name, text, {.language = TestLanguage()}));
}

constexpr std::string_view kSentences =
    "短句。这一句要长一些。中等的句子!\n第二段的这一句是最长的一句话。短。";

TEST(LongSentencesScheme, KeepsTheLongestInTheOrderOfTheText) {
  const std::string longer = Md5Hex("这一句要长一些。");
  const std::string longest = Md5Hex("第二段的这一句是最长的一句话。");
  EXPECT_EQ(Print("long_sentences(1)", kSentences), longest);
  EXPECT_EQ(Print("long_sentences(2)", kSentences), longer + " " + longest);
  EXPECT_EQ(Print("long_sentences(form=joined,top=2)", kSentences),
            Md5Hex("这一句要长一些。\n第二段的这一句是最长的一句话。\n"));
  EXPECT_EQ(Print("long_sentences(scope=paragraph,top=1)", kSentences), longer + " " + longest);
  EXPECT_EQ(Print("long_sentences(scope=paragraph,top=2)", kSentences),
            longer + " " + Md5Hex("中等的句子!") + " " + longest + " " + Md5Hex("短。"));
}

// A paragraph ends at every line end, as a sentence does.
TEST(LongSentencesScheme, AParagraphEndsWhereALineDoes) {
  const std::string lines = "甲乙丙\r丁戊己庚\xE2\x80\xA8辛壬癸子丑";  // U+2028
  EXPECT_EQ(Print("long_sentences(scope=paragraph,top=1)", lines),
            Md5Hex("甲乙丙") + " " + Md5Hex("丁戊己庚") + " " + Md5Hex("辛壬癸子丑"));
}

TEST(LongSentencesScheme, TakesTheFirstOfEqualLengthAndAnyNumberOfFew) {
  EXPECT_EQ(Print("long_sentences(1)", "第一句。第二句。"), Md5Hex("第一句。"));
  EXPECT_EQ(Print("long_sentences(9)", "第一句。第二句。"),
            Md5Hex("第一句。") + " " + Md5Hex("第二句。"));
  EXPECT_EQ(Print("long_sentences", " \n"), "none");
}

TEST(LongSentencesScheme, OnFoldedIsThatOfTheFoldedSentence) {
  EXPECT_EQ(Print("long_sentences(channel=folded)", "這一句。"), Md5Hex("这一句"));
  EXPECT_EQ(Print("long_sentences(channel=folded)", "。、。"), "none");
}

// The codes of tagstr for people: "1 你好" is level 1, first and last character.
std::string PrintTagstr(std::string_view name, const DocumentFields& document) {
  const auto scheme = Scheme::Create(name, {.language = TestLanguage()}).value();
  const Fingerprint value = scheme->ComputeDocument(document).value();
  if (!HasValue(value)) return "none";
  const auto& codes = std::get<CodeSequence>(value);
  EXPECT_EQ(codes.width, kTagstrWidth);
  std::string out;
  for (size_t i = 0; i < codes.size(); ++i) {
    const auto number = [&](size_t from, size_t size) {
      uint32_t read = 0;
      for (const uint8_t byte : codes[i].subspan(from, size)) read = read << 8 | byte;
      return read;
    };
    if (!out.empty()) out += '|';
    out += fmt::format("{} ", number(0, 2));
    AppendUtf8(number(2, 4), out);
    AppendUtf8(number(6, 4), out);
  }
  return out;
}

TEST(TagstrScheme, AreClausesWithTheLevelsOfTheirLines) {
  const std::string_view text =
      "前言。\n一、起因\n那年大旱，“颗粒无收”。\n（一）天\n热！\n（二）地\n二、经过";
  EXPECT_EQ(PrintTagstr("tagstr", {.text = text}),
            "1 前言|1 一因|2 那旱|2 颗收|2 一天|3 热热|2 二地|1 二过");
  EXPECT_EQ(PrintTagstr("tagstr", {.text = " \n。！\n"}), "none");
  EXPECT_EQ(Print("tagstr", "甲乙。"),
            "000100007532"
            "00004e59");
}

TEST(TagstrScheme, GivenLevelsCountWhereTheyFitTheText) {
  const std::string_view text = "甲乙。\n丙丁。\n\n戊己。";
  EXPECT_EQ(PrintTagstr("tagstr", {.text = text, .levels = "1 2 3"}), "1 甲乙|2 丙丁|3 戊己");
  EXPECT_EQ(PrintTagstr("tagstr", {.text = text, .levels = "0 1 1"}), "1 丙丁|1 戊己");
  for (const std::string_view misfit :
       {"1 2", "1 2 3 4", "1 2 x", "1 2 -3", "1 2 3 ", "1 2 65536"}) {
    EXPECT_EQ(PrintTagstr("tagstr", {.text = text, .levels = misfit}), "1 甲乙|1 丙丁|1 戊己");
  }
}

TEST(TagstrScheme, TheTitleIsNoLevel) {
  EXPECT_EQ(PrintTagstr("tagstr", {.text = "山路\n他走了。", .title = "山路"}), "1 他了");
  EXPECT_EQ(PrintTagstr("tagstr", {.text = "山路\n他走了。"}), "1 山路|2 他了");
}

TEST(TagstrScheme, CutsAtMarksAsTheSourceDoes) {
  const std::string_view text = "共3.14亿元，他说“好！”，走了…完。";
  EXPECT_EQ(PrintTagstr("tagstr", {.text = text}), "1 共元|1 他好|1 走了|1 完完");
  EXPECT_EQ(PrintTagstr("tagstr(split=mark)", {.text = text}), "1 共3|1 1元|1 他好|1 走完");
}

TEST(FeatureCodesScheme, AreTheFirstAndTheLastCharacterOfEachClause) {
  EXPECT_EQ(Print("feature_codes", "“你好”,世界!A b9;\n单"),
            "00004f60"
            "0000597d"
            " "
            "00004e16"
            "0000754c"
            " "
            "00000041"
            "00000039"
            " "
            "00005355"
            "00005355");
  EXPECT_EQ(Print("feature_codes", "……!?"), "none");
  EXPECT_EQ(Print("feature_codes(folded)", "語義A"), Print("feature_codes(folded)", "语言 a"));
}

TEST(FeatureCodesScheme, OnAChannelAreThoseOfTheLettersThatItHas) {
  EXPECT_EQ(Print("feature_codes(channel=phonemes)", "hello, world. nice text"), "none");
  EXPECT_EQ(Print("feature_codes(channel=phonemes)", "a你b好c, d"),
            Print("feature_codes(channel=phonemes)", "你好"));
}

TEST(FullStopsScheme, TakesTheSymbolsAroundEachFullStop) {
  const std::string text = "甲乙丙丁。戊己。庚";
  const std::u32string symbols = U"甲乙丙丁戊己庚";
  HashSet expected = {{XXH3_64bits_withSeed(symbols.data() + 2, 16, 2),    // 丙丁。戊己
                       XXH3_64bits_withSeed(symbols.data() + 4, 12, 2)}};  // 戊己。庚
  std::ranges::sort(expected.hashes);
  EXPECT_EQ(ComputeFingerprint("full_stops(2)", text), Fingerprint(expected));
  // On this channel the mark is a symbol, but it does not count among the symbols around it.
  EXPECT_EQ(ComputeFingerprint("full_stops(channel=exact,n=2)", text), Fingerprint(expected));
  EXPECT_EQ(Print("full_stops", "没有句号"), "none");
  EXPECT_EQ(Print("full_stops", "。"), "none");
  EXPECT_EQ(Print("full_stops(channel=pinyin)", "世界。再见"),
            Print("full_stops(channel=pinyin)", "视界。再剪"));
}

}  // namespace
}  // namespace zhiwen
