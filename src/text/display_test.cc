#include "zhiwen/display.h"

#include <gtest/gtest.h>

#include <string>

namespace zhiwen {
namespace {

TEST(DisplayWidth, HanTakesTwoColumnsAndLatinOne) {
  EXPECT_EQ(DisplayWidth(""), 0u);
  EXPECT_EQ(DisplayWidth("abc"), 3u);
  EXPECT_EQ(DisplayWidth("指纹"), 4u);
  EXPECT_EQ(DisplayWidth("指a纹b"), 6u);
  EXPECT_EQ(DisplayWidth("，。！"), 6u);
  EXPECT_EQ(DisplayWidth("ＡＢ"), 4u);
  EXPECT_EQ(DisplayWidth("ｶﾅ"), 2u);
  EXPECT_EQ(DisplayWidth("𠀀"), 2u);
}

TEST(DisplayWidth, MarksAndInvisibleCharactersTakeNone) {
  EXPECT_EQ(DisplayWidth("e\u0301"), 1u);
  EXPECT_EQ(DisplayWidth("指\u200b纹"), 4u);
  EXPECT_EQ(DisplayWidth("\ufeff指"), 2u);
  EXPECT_EQ(DisplayWidth("\u1112\u1161\u11ab"), 2u);  // 한 in three jamo
}

TEST(DisplayWidth, ControlCharactersCountNone) {
  EXPECT_EQ(DisplayWidth("a\nb\x1b"), 2u);
  EXPECT_EQ(DisplayWidth(std::string_view("\0", 1)), 0u);
}

TEST(DisplayWidth, AnEmojiSequenceIsOnePicture) {
  EXPECT_EQ(DisplayWidth("😀"), 2u);
  EXPECT_EQ(DisplayWidth("👨\u200d👩\u200d👧"), 2u);
  EXPECT_EQ(DisplayWidth("👍🏽"), 2u);
  EXPECT_EQ(DisplayWidth("🇨🇳"), 2u);
}

TEST(TruncateToWidth, NeverCutsAHanCharacterInHalf) {
  EXPECT_EQ(TruncateToWidth("指纹引擎", 5), "指纹");
  EXPECT_EQ(TruncateToWidth("指纹引擎", 4), "指纹");
  EXPECT_EQ(TruncateToWidth("指纹引擎", 1), "");
  EXPECT_EQ(TruncateToWidth("指纹", 100), "指纹");
}

TEST(TruncateToWidth, KeepsMarksWithTheirBase) {
  EXPECT_EQ(TruncateToWidth("e\u0301x", 1), "e\u0301");
  EXPECT_EQ(TruncateToWidth("ab\u0301c", 2), "ab\u0301");
}

TEST(TruncateToWidth, IsAPrefixThatFitsForEveryWidth) {
  const std::string text = "a指\u0301 b👍🏽纹e\u0301\u200b。ｶﾞ한";
  for (size_t columns = 0; columns <= DisplayWidth(text) + 1; ++columns) {
    const std::string_view cut = TruncateToWidth(text, columns);
    EXPECT_TRUE(text.starts_with(cut));
    EXPECT_LE(DisplayWidth(cut), columns);
    EXPECT_GE(DisplayWidth(cut) + 2, std::min(columns, DisplayWidth(text)) + 1);
  }
}

TEST(FitToWidth, GivesExactlyTheColumnsAskedFor) {
  EXPECT_EQ(FitToWidth("指纹", 6), "指纹  ");
  EXPECT_EQ(FitToWidth("指纹", 4), "指纹");
  EXPECT_EQ(FitToWidth("指纹引擎", 6), "指纹… ");
  EXPECT_EQ(FitToWidth("指纹引擎", 7), "指纹引…");
  EXPECT_EQ(FitToWidth("abcdef", 3), "ab…");
  EXPECT_EQ(FitToWidth("abc", 0), "");
  for (size_t columns = 0; columns < 20; ++columns) {
    EXPECT_EQ(DisplayWidth(FitToWidth("指e\u0301纹 engine 引擎", columns)), columns);
  }
}

TEST(MakePrintable, NoControlSequenceReachesTheTerminal) {
  EXPECT_EQ(MakePrintable("a\x1b[31mb"), "a␛[31mb");
  EXPECT_EQ(MakePrintable("一\n二\r\n三\r四"), "一↵二↵三␍四");
  EXPECT_EQ(MakePrintable(std::string_view("\0\t\x7f", 3)), "␀␉␡");
  EXPECT_EQ(MakePrintable("\u009b31m"), "\uFFFD31m");  // C1 control sequence introducer
  EXPECT_EQ(MakePrintable("abc\u202edef"), "abc\uFFFDdef");
}

TEST(MakePrintable, BrokenBytesBecomeReplacementCharacters) {
  EXPECT_EQ(MakePrintable("a\xff"), "a\uFFFD");
  EXPECT_EQ(MakePrintable("指\xe6\x8c"), "指\uFFFD");
  EXPECT_EQ(DisplayWidth("a\xff"), 2u);
}

TEST(Display, NamesCodePoints) {
  EXPECT_EQ(NameCodePoints("\u200B\uFE0F\U000E0001\xFF"), "U+200B U+FE0F U+E0001 U+FFFD");
  EXPECT_EQ(NameCodePoints(""), "");
}

TEST(EndToWidth, IsTheLongestEndThatFits) {
  EXPECT_EQ(EndToWidth("指纹引擎", 5), "引擎");
  EXPECT_EQ(EndToWidth("a指纹", 4), "指纹");
  EXPECT_EQ(EndToWidth("指", 1), "");
  EXPECT_EQ(EndToWidth("abc", 9), "abc");
}

TEST(FirstAndLastBytes, NeverCutACodePoint) {
  EXPECT_EQ(FirstBytes("指纹", 5), "指");
  EXPECT_EQ(FirstBytes("指纹", 6), "指纹");
  EXPECT_EQ(FirstBytes("指", 2), "");
  EXPECT_EQ(LastBytes("指纹", 5), "纹");
  EXPECT_EQ(LastBytes("指纹", 2), "");
  EXPECT_EQ(LastBytes("ab", 9), "ab");
}

TEST(NextCodePoint, MovesBehindWhatItRead) {
  size_t at = 1;
  EXPECT_EQ(NextCodePoint("a指\xff", at), 0x6307U);
  EXPECT_EQ(at, 4U);
  EXPECT_EQ(NextCodePoint("a指\xff", at), 0xFFFDU);
  EXPECT_EQ(at, 5U);
  at = 0;
  EXPECT_EQ(NextCodePoint("\xe6\x8c", at), 0xFFFDU);
  EXPECT_EQ(at, 2U) << "the beginning of a character is one";
}

}  // namespace
}  // namespace zhiwen
