// Compares exact.v1 with ICU's normalizer.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unicode/normalizer2.h>
#include <unicode/unistr.h>

#include <random>
#include <string>
#include <vector>

#include "text/explain.h"
#include "text/fold.h"
#include "text/fold_oracle_test_support.h"

namespace zhiwen {
namespace {

using Symbols = std::vector<uint32_t>;

std::string NfcByIcu(const std::string& text) {
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* nfc = icu::Normalizer2::getNFCInstance(status);
  std::string result;
  nfc->normalize(icu::UnicodeString::fromUTF8(text), status).toUTF8String(result);
  return result;
}

void ExpectIsNfc(const std::string& text) {
  const std::string expected = NfcByIcu(text);
  Symbols symbols;
  ExactInto(text, symbols);
  ASSERT_EQ(symbols, DecodeByIcu(expected));
  ASSERT_EQ(ExplainExact(text).symbols, symbols);
  ASSERT_EQ(HashExactChannel(text), HashBytes128(expected));
}

TEST(ExactTest, DropsNothing) {
  Symbols symbols;
  ExactInto("Ａ國。\n", symbols);
  EXPECT_THAT(symbols, testing::ElementsAre(0xFF21, U'國', U'。', U'\n'));
}

TEST(ExactTest, ComposedAndDecomposedTextsAreEqual) {
  EXPECT_EQ(HashExactChannel("e\u0301中"), HashExactChannel("é中"));
  EXPECT_EQ(HashExactChannel("\u1112\u1161\u11ab"), HashExactChannel("한"));
  EXPECT_EQ(HashExactChannel("\uf900"), HashExactChannel("豈"));
  EXPECT_NE(HashExactChannel("Ａ"), HashExactChannel("A"));
  EXPECT_NE(HashExactChannel(""), HashExactChannel(" "));
}

TEST(ExactTest, SlowEveryCodePointIsNormalizedAsByIcu) {
  for (uint32_t c = 0; c < 0x110000; ++c) {
    if (c >= 0xD800 && c < 0xE000) continue;
    if (c >= 0x20000 && c < 0x2F800 && c % 32 != 0) continue;  // Han
    if (c >= 0x30000 && c % 64 != 0) continue;                 // Han, unassigned, private use
    ASSERT_NO_FATAL_FAILURE(ExpectIsNfc(Utf8(Symbols{'a', c, 0x301, 0x323, U'中', c})));
  }
}

TEST(ExactTest, RandomTextsAreNormalizedAsByIcu) {
  constexpr uint32_t kCodePoints[] = {
      'a',    'e',    ' ',    U'中',  U'か',  0x301,   0x323,   0x327,  0x345, 0x344,
      0x3099, 0x302A, 0x1100, 0x1161, 0x11A8, 0xAC00,  0xF900,  0xF71,  0xF72, 0xF73,
      0x9BE,  0x9C7,  0x226E, 0x338,  '<',    0x1D15E, 0x2F800, 0xFF0C, 0x1E0A};
  std::mt19937 random(1);
  for (int round = 0; round < 60000; ++round) {
    Symbols text;
    for (size_t i = 1 + random() % 12; i > 0; --i) {
      text.push_back(kCodePoints[random() % std::size(kCodePoints)]);
    }
    ASSERT_NO_FATAL_FAILURE(ExpectIsNfc(Utf8(text)));
  }
}

TEST(ExactTest, LongTextsAreNormalizedAsByIcu) {
  constexpr uint32_t kRare[] = {0x301,  0x3099, 0x302A,  0x2000, 0x2001, 0x2002,
                                0x203F, 0xF900, 0x212B,  0x11A8, 0xFF9E, 0xE9,
                                0x30AC, 0x3029, 0x1D15E, 0xAC00, 0x9FFF, 0xA66F};
  constexpr uint32_t kPlain[] = {'a', U'中', U'国', 0xFF0C, 0x3002, 0x201C, U'か', 'e'};
  std::mt19937 random(2);
  for (int round = 0; round < 20000; ++round) {
    Symbols text;
    for (size_t i = random() % 300; i > 0; --i) {
      text.push_back(random() % 100 == 0 ? kRare[random() % std::size(kRare)]
                                         : kPlain[random() % std::size(kPlain)]);
    }
    ASSERT_NO_FATAL_FAILURE(ExpectIsNfc(Utf8(text)));
  }
}

TEST(ExactTest, ManyMarksAreOrderedAsByIcu) {
  for (const size_t marks : {10, 63, 64, 65, 66, 200, 3000}) {
    Symbols text = {U'中', 'a'};
    for (size_t i = 0; i < marks; ++i)
      text.push_back(i % 3 == 0 ? 0x323 : i % 3 == 1 ? 0x344 : 0xF73);
    ASSERT_NO_FATAL_FAILURE(ExpectIsNfc(Utf8(text)));
  }
}

TEST(ExactTest, SlowAMillionMarksCostLinearTime) {
  std::string text = "a";
  for (int i = 0; i < 500000; ++i) text += "\u0301\u0323";
  EXPECT_EQ(HashExactChannel(text), HashExactChannel("ạ" + text.substr(1, 2) + text.substr(5)));
}

TEST(ExactTest, ASpanCoversWhatWasNormalizedTogether) {
  const SpannedSymbols exact = ExplainExact("中e\u0301x");
  ASSERT_EQ(exact.symbols, (Symbols{U'中', 0xE9, 'x'}));
  EXPECT_EQ(exact.spans[0], (ByteSpan{{0}, {3}}));
  EXPECT_EQ(exact.spans[1], (ByteSpan{{3}, {6}}));
  EXPECT_EQ(exact.spans[2], (ByteSpan{{6}, {7}}));
}

}  // namespace
}  // namespace zhiwen
