#include "text/utf8.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

#include "text/fold.h"
#include "text/fold_oracle_test_support.h"

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
  EXPECT_EQ(FindInvalidUtf8("a\xe4\xb8"), 1U);          // cut short
  EXPECT_EQ(FindInvalidUtf8("\xc0\x80"), 0U);           // overlong NUL
  EXPECT_EQ(FindInvalidUtf8("\xe0\x9f\xbf"), 0U);       // overlong
  EXPECT_EQ(FindInvalidUtf8("\xed\xa0\x80"), 0U);       // a surrogate
  EXPECT_EQ(FindInvalidUtf8("x\xf4\x90\x80\x80"), 1U);  // above U+10FFFF
  EXPECT_EQ(FindInvalidUtf8("\xf0\x8f\xbf\xbf"), 0U);   // overlong
}

TEST(Utf8Test, EveryCodePointIsValidAndCountedOnce) {
  for (uint32_t c = 0; c < 0x110000; ++c) {
    if (c >= 0xD800 && c < 0xE000) continue;
    const std::string text = Utf8(std::vector<uint32_t>{c});
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

TEST(Utf8Test, RandomBytesAreInvalidWhereIcuSaysSo) {
  std::mt19937 random(1);
  for (int round = 0; round < 60000; ++round) {
    std::string bytes;
    for (size_t i = 1 + random() % 6; i > 0; --i) {
      constexpr uint8_t kEdges[] = {0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC1,
                                    0xC2, 0xDF, 0xE0, 0xED, 0xEF, 0xF0, 0xF4, 0xF5, 0xFF};
      bytes += static_cast<char>(kEdges[random() % std::size(kEdges)]);
    }
    const std::vector<uint32_t> decoded = DecodeByIcu(bytes);
    const bool is_valid = std::ranges::find(decoded, 0xFFFDU) == decoded.end();
    ASSERT_EQ(FindInvalidUtf8(bytes) == bytes.size(), is_valid);
  }
}

}  // namespace
}  // namespace zhiwen
