#include "document/foreign/rtf.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "zhiwen/extract.h"

namespace zhiwen {
namespace {

ExtractedDocument ReadRtf(const std::string& body) {
  return ExtractDocument("{\\rtf1\\ansi" + body + "}").value();
}

std::string TextOf(const std::string& body) { return ReadRtf(body).text; }

TEST(Rtf, ReadsChineseInEveryForm) {
  EXPECT_EQ(TextOf("\\ansicpg936 \\'d6\\'b8\\'ce\\'c6"), "指纹");
  EXPECT_EQ(TextOf("\\ansicpg936 \xD6\xB8\xCE\xC6"), "指纹");
  EXPECT_EQ(TextOf("\\ansicpg950 \\'ab\\'fc\\'af\\'be"), "指紋");
  // The second byte of a character may be a letter, and a line may end between the two.
  EXPECT_EQ(TextOf("\\ansicpg936 \\'81@\\'81\\\n\\'41"),
            TextOf("\\ansicpg936 \\'81\\'40\\'81\\par A"));
  EXPECT_EQ(TextOf("\\ansicpg1252{\\fonttbl{\\f0\\fcharset0 A;}{\\f1\\fcharset134 \\'cb\\'ce;}}"
                   "\\f1\\'d6\\'b8{\\f0\\'e9}\\'ce\\'c6"),
            "指é纹");
  EXPECT_EQ(TextOf("\\uc1\\u25351?\\u32441 ?x"), "指纹x");
  EXPECT_EQ(TextOf("\\ansicpg936{\\uc2\\u25351\\'d6\\'b8\\u-26972\\'ce\\'c6}\\u25351?"), "指隤指");
  EXPECT_EQ(TextOf("\\uc0\\u-10187\\u-8948 a"), "𝔌a");
  EXPECT_EQ(TextOf("\\uc0\\u-10187 a"), "\uFFFDa");
  EXPECT_EQ(TextOf("{\\fonttbl{\\f2\\fcharset238 A;}}\\f2\\'e8"), "č");
  const ExtractedDocument wrong = ReadRtf("\\ansicpg936 a\\'ff b");
  EXPECT_EQ(wrong.text, "a\uFFFD b");
  EXPECT_EQ(wrong.encoding_errors, 1U);
}

TEST(Rtf, HasBlocks) {
  const std::string body =
      "\\pard\\outlinelevel0 Title\\par\\pard One\\line two\\tab x\\par\n"
      "\\trowd\\pard\\intbl a\\par b\\cell c\\cell\\row\\pard{\\listtext 1.\\tab}item\\par";
  const ExtractedDocument document = ReadRtf(body);
  EXPECT_EQ(document.text, "Title\nOne\ntwo\tx\na b\tc\n1.\titem");
  ASSERT_EQ(document.blocks.size(), 5U);
  EXPECT_EQ(document.blocks[0].kind, BlockKind::kHeading);
  EXPECT_EQ(document.blocks[0].level, 1);
  EXPECT_EQ(document.blocks[1].kind, BlockKind::kParagraph);
  EXPECT_EQ(document.blocks[3].kind, BlockKind::kTableRow);
  const std::string file = "{\\rtf1\\ansi" + body + "}";
  const ByteSpan source = document.blocks[0].source;
  EXPECT_EQ(file.substr(source.begin.value, source.size()), "Title\\par");
}

TEST(Rtf, LeavesOutWhatIsNoText) {
  EXPECT_EQ(TextOf("{\\colortbl;\\red0;}{\\stylesheet{\\s0 Normal;}}{\\*\\generator G;}a"
                   "{\\pict\\bin4 }}}}00ff}b{\\v hidden}{\\deleted gone}c\\{\\\\\\}"),
            "abc{\\}");
  EXPECT_EQ(TextOf("{\\field{\\*\\fldinst HYPERLINK \"x\"}{\\fldrslt link}}"), "link");
  EXPECT_EQ(TextOf("{\\shp{\\*\\shpinst{\\sp{\\sn n}{\\sv 1}}{\\shptxt box\\par}}}"), "box");
  EXPECT_EQ(TextOf(" a{\\footnote note}b\\par"), "note\nab");
  EXPECT_EQ(TextOf("\\ldblquote a\\rdblquote\\emdash\\~b\\-c\\_d"), "“a”—\u00A0bc\u2011d");
}

TEST(Rtf, SaysOfItself) {
  const ExtractedDocument document = ReadRtf(
      "\\ansicpg936{\\info{\\title \\'d6\\'b8\\'ce\\'c6}{\\upr{\\author L?}{\\*\\ud\\uc0"
      "{\\author L\\u26446}}}{\\creatim\\yr2024\\mo1\\dy2\\hr3}}a");
  EXPECT_EQ(document.title, "指纹");
  EXPECT_EQ(document.author, "L李");
  EXPECT_EQ(document.date, "2024-01-02");
  EXPECT_EQ(document.encoding, "gb18030");
  EXPECT_EQ(document.text, "a");
}

TEST(Rtf, EveryCutAndDepthEnds) {
  const std::string sound =
      "{\\rtf1\\ansi\\ansicpg936{\\fonttbl{\\f0\\fcharset134 S;}}\\f0 \\'d6\\'b8\\u-26972 "
      "?{\\footnote n}\\bin3 abc\\trowd a\\cell\\row}";
  for (size_t size = 5; size <= sound.size(); ++size) {
    EXPECT_TRUE(ExtractRtf(sound.substr(0, size)));
    EXPECT_TRUE(ExtractRtf(sound.substr(0, size) + "}}}} after"));
  }
  const std::string deep =
      "{\\rtf1 a" + std::string(100'000, '{') + "b" + std::string(100'000, '}') + "c}";
  EXPECT_EQ(ExtractRtf(deep)->text, "ac");
  EXPECT_EQ(ExtractRtf("{\\rtf1\\bin999999999999 x")->text, "");
  EXPECT_EQ(ExtractRtf("{\\rtf1\\bin-1 x")->text, "x");
  EXPECT_EQ(ExtractRtf("{\\rtf1 a{\\footnote n")->text, "n\na");
  EXPECT_EQ(ExtractRtf("{\\rtf1}")->kind, ExtractedKind::kEmpty);
}

}  // namespace
}  // namespace zhiwen
