#include "base/utf8/utf8.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <utility>

namespace zhiwen {
namespace {

TEST(Utf8Test, ValidTextHasNoInvalidByte) {
  for (const char* text :
       {"", "a", "abcdefghijklmnop", "é", "中文", "😀", "a中é😀b", "\u0800", "\uffff"}) {
    EXPECT_EQ(FindInvalidUtf8(text), std::string_view(text).size());
  }
  EXPECT_EQ(FindInvalidUtf8(std::string_view("\0x", 2)), 2U);
}

TEST(Utf8Test, NamesTheFirstByteOfABrokenSequence) {
  EXPECT_EQ(FindInvalidUtf8("中\xff"), 3U);
  EXPECT_EQ(FindInvalidUtf8("abcdefgh\x80"), 8U);
  EXPECT_EQ(FindInvalidUtf8(std::string(100, 'a') + "\xff"), 100U);
  EXPECT_EQ(FindInvalidUtf8("a\xe4\xb8"), 1U);          // truncated
  EXPECT_EQ(FindInvalidUtf8("\xc0\x80"), 0U);           // overlong NUL
  EXPECT_EQ(FindInvalidUtf8("\xe0\x9f\xbf"), 0U);       // overlong
  EXPECT_EQ(FindInvalidUtf8("\xed\xa0\x80"), 0U);       // a surrogate
  EXPECT_EQ(FindInvalidUtf8("x\xf4\x90\x80\x80"), 1U);  // above U+10FFFF
  EXPECT_EQ(FindInvalidUtf8("\xf0\x8f\xbf\xbf"), 0U);   // overlong
}

TEST(Utf8Test, EveryCodePointIsValidAndCountedOnce) {
  for (uint32_t c = 0; c < 0x110000; ++c) {
    if (c >= 0xD800 && c < 0xE000) continue;
    std::string text;
    AppendUtf8(c, text);
    ASSERT_EQ(FindInvalidUtf8(text), text.size());
    ASSERT_EQ(CountCodePoints(text), 1U);
    for (size_t cut = 1; cut < text.size(); ++cut) {
      ASSERT_EQ(FindInvalidUtf8(std::string_view(text).substr(0, cut)), 0U);
      ASSERT_EQ(FindInvalidUtf8(std::string_view(text).substr(cut)), 0U);
    }
  }
}

TEST(Utf8Test, CodePointsAreCountedInTextsOfEveryLength) {
  std::mt19937 random(2);
  std::string text;
  for (uint64_t code_points = 0; code_points < 9000; ++code_points) {
    if (code_points < 100 || code_points % 97 == 0) {
      ASSERT_EQ(CountCodePoints(text), code_points);
    }
    constexpr std::string_view kCharacters[] = {"a", "\u00e9", "\u5b57", "\U0001f600"};
    text += kCharacters[code_points < 4500 ? 2 : random() % 4];
  }
}

TEST(Utf8Test, BytesOfACodePointAreThoseThatDecodeToIt) {
  for (const auto& [code_point, bytes] : {std::pair{0x24U, "$"},
                                          {0xE9U, "\xc3\xa9"},
                                          {0x4E2DU, "\xe4\xb8\xad"},
                                          {0x1F600U, "\xf0\x9f\x98\x80"}}) {
    std::string text;
    AppendUtf8(code_point, text);
    EXPECT_EQ(text, bytes);
    EXPECT_EQ(DecodeAt(text, 0).code_point, code_point);
    EXPECT_EQ(DecodeAt(text, 0).length, text.size());
  }
  EXPECT_FALSE(DecodeAt("\xe4\xb8", 0).is_valid());
  EXPECT_EQ(DecodeAt("\xe4\xb8", 0).length, 1U);
  EXPECT_TRUE(DecodeAt("\xef\xbf\xbd", 0).is_valid());  // U+FFFD itself
}

// Unicode 15.0, tables 3-8 to 3-11.
TEST(Utf8Test, ABrokenSequenceIsItsLongestSoundBeginning) {
  const auto length = [](std::string_view bytes) { return BrokenUtf8Length(bytes); };
  EXPECT_EQ(length("\xc0\xaf"), 1U);
  EXPECT_EQ(length("\xe0\x80\xbf"), 1U);  // overlong
  EXPECT_EQ(length("\xed\xa0\x80"), 1U);  // a surrogate
  EXPECT_EQ(length("\xf4\x91\x92\x93"), 1U);
  EXPECT_EQ(length("\xff"), 1U);
  EXPECT_EQ(length("\x80\x80"), 1U);
  EXPECT_EQ(length("\xe1\x80\xe2"), 2U);
  EXPECT_EQ(length("\xe0\xa0"), 2U);
  EXPECT_EQ(length("\xed\x9f"), 2U);
  EXPECT_EQ(length("\xf0\x90\x92\xf1"), 3U);
  EXPECT_EQ(length("\xf4\x8f"), 2U);
  EXPECT_EQ(length("\xf1\x91\x92\x41"), 3U);
  EXPECT_EQ(ReplaceBrokenUtf8("a\xf1\x80\x80\xe1\x80\xc2\x62\x80\x63\x80\xbf\x64中"),
            "a\uFFFD\uFFFD\uFFFDb\uFFFDc\uFFFD\uFFFDd中");
}

}  // namespace
}  // namespace zhiwen
