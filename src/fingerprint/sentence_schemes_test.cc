// Tests schemes over sentences and clauses.

#include <gtest/gtest.h>
#include <xxhash.h>

#include "base/digest.h"
#include "fingerprint/scheme_test_support.h"
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
