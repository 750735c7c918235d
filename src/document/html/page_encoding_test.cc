#include "document/html/page_encoding.h"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/utf8/transcoder.h"
#include "base/utf8/utf8.h"

namespace zhiwen {
namespace {

constexpr std::string_view kChinese =
    "<html><body><p>我们在北京的大学里学习中文，也写一些关于历史的文章。</p></body></html>";

std::string In(std::string_view text, TextEncoding encoding) {
  return EncodeText(text, encoding).value();
}

TEST(PageEncoding, WhatIsDeclaredIsFoundInEveryForm) {
  EXPECT_EQ(FindDeclaredEncoding("<meta charset=gbk>"), "gbk");
  EXPECT_EQ(FindDeclaredEncoding("<META CharSet = 'Big5'>"), "Big5");
  EXPECT_EQ(FindDeclaredEncoding("content=\"text/html; charset=gb2312\""), "gb2312");
  EXPECT_EQ(FindDeclaredEncoding("<?xml version='1.0' encoding=\"GB18030\"?>"), "GB18030");
  EXPECT_EQ(FindDeclaredEncoding("the charset of a page <meta charset=utf-8>"), "utf-8");
  EXPECT_EQ(FindDeclaredEncoding("<p>charset"), "");
}

TEST(PageEncoding, ValidUtf8IsUtf8WhateverIsDeclared) {
  const std::string page = "<meta charset=gbk>" + std::string(kChinese);
  const DecodedPage decoded = DecodedPage::Decode(page).value();
  EXPECT_EQ(decoded.encoding(), "utf-8");
  EXPECT_EQ(decoded.declared(), "gbk");
  EXPECT_EQ(decoded.text(), page);
}

TEST(PageEncoding, WhatIsDeclaredIsReadSo) {
  const std::string gbk = "<meta charset=GB2312>" + In(kChinese, TextEncoding::kGb18030);
  EXPECT_EQ(DecodedPage::Decode(gbk)->encoding(), "gb18030");
  EXPECT_EQ(DecodedPage::Decode(gbk)->text(), "<meta charset=GB2312>" + std::string(kChinese));
  const std::string latin = "<meta charset=iso-8859-1>caf\xe9 \x93quoted\x94";
  EXPECT_EQ(DecodedPage::Decode(latin)->text(), "<meta charset=iso-8859-1>café “quoted”");
  EXPECT_EQ(DecodedPage::Decode(latin)->encoding(), "windows-1252");
}

TEST(PageEncoding, WhatIsNotDeclaredIsRecognised) {
  for (const TextEncoding encoding : {TextEncoding::kGb18030, TextEncoding::kBig5}) {
    const std::string traditional = "<p>我們在北京的大學裡學習中文，也寫一些關於歷史的文章。</p>";
    const std::string text = encoding == TextEncoding::kBig5 ? traditional : std::string(kChinese);
    const std::string page = In(text, encoding);
    EXPECT_EQ(DecodedPage::Decode(page)->text(), text) << TextEncodingName(encoding);
  }
  // A wrong declaration does not hide it.
  const std::string wrong = "<meta charset=utf-8>" + In(kChinese, TextEncoding::kGb18030);
  EXPECT_EQ(DecodedPage::Decode(wrong)->encoding(), "gb18030");
}

TEST(PageEncoding, AByteOrderMarkDecides) {
  const std::string utf8 = "\xef\xbb\xbf<p>中</p>";
  EXPECT_EQ(DecodedPage::Decode(utf8)->text(), "<p>中</p>");
  EXPECT_EQ(DecodedPage::Decode(utf8)->SourceOffset(3), 6U);
  const std::string utf16 = "\xff\xfe" + In(kChinese, TextEncoding::kUtf16Le);
  EXPECT_EQ(DecodedPage::Decode(utf16)->encoding(), "utf-16le");
  EXPECT_EQ(DecodedPage::Decode(utf16)->text(), kChinese);
}

TEST(PageEncoding, BytesWithoutMeaningAreCountedAndHideNothing) {
  std::string page = "<meta charset=gbk>" + In("中文", TextEncoding::kGb18030) + "\xff" +
                     In("正文", TextEncoding::kGb18030) + "\xff";
  const DecodedPage decoded = DecodedPage::Decode(page).value();
  EXPECT_EQ(decoded.text(), "<meta charset=gbk>中文\uFFFD正文\uFFFD");
  EXPECT_EQ(decoded.errors(), 2U);
  const std::string broken =
      "<meta charset=utf-8>" + std::string(kChinese) + "\xe4\xb8" + std::string(kChinese);
  EXPECT_EQ(DecodedPage::Decode(broken)->errors(), 1U);
  EXPECT_EQ(DecodedPage::Decode(broken)->encoding(), "utf-8");
}

// Every character of a long text leads back to the bytes that it was decoded from.
TEST(PageEncoding, OffsetsLeadBackToTheSource) {
  std::string text = "<meta charset=x>";
  for (int i = 0; i < 400; ++i) text += "中a文é字、😀" + std::to_string(i);
  for (const TextEncoding encoding :
       {TextEncoding::kGb18030, TextEncoding::kUtf16Le, TextEncoding::kUtf16Be}) {
    std::string page = In(text, encoding);
    std::string mark = In("\uFEFF", encoding);
    if (encoding == TextEncoding::kGb18030) mark.clear();
    page = mark + page;
    const DecodedPage decoded = DecodedPage::Decode(page).value();
    ASSERT_EQ(decoded.text(), text);
    size_t source = mark.size();
    VisitCodePoints(text, [&](const DecodedCodePoint& c, size_t begin) {
      EXPECT_EQ(decoded.SourceOffset(begin), source) << TextEncodingName(encoding);
      source += In(std::string_view(text).substr(begin, c.length), encoding).size();
    });
    EXPECT_EQ(decoded.SourceOffset(text.size()), page.size());
  }
}

TEST(PageEncoding, OffsetsLeadBackAlsoBehindBytesWithoutMeaning) {
  const std::string head = "<meta charset=big5>";
  const std::string word = In("正文", TextEncoding::kBig5);
  // A letter with a mark is one character of HKSCS and two of Unicode.
  const std::string page = head + word + "\xff" + word + "\x88\x62" + word;
  const DecodedPage decoded = DecodedPage::Decode(page).value();
  ASSERT_EQ(decoded.text(), head + "正文\uFFFD正文\u00CA\u0304正文");
  const std::vector<std::pair<size_t, uint64_t>> cases = {{0, 0},  {3, 2},  {6, 4},   {9, 5},
                                                          {12, 7}, {15, 9}, {19, 11}, {22, 13}};
  for (const auto& [at, source] : cases) {
    EXPECT_EQ(decoded.SourceOffset(head.size() + at), head.size() + source) << at;
  }
}

TEST(PageEncoding, OffsetsOfWindows1252LeadBackToTheSource) {
  const std::string page = "<meta charset=latin1>\xe9\x80x";
  const DecodedPage decoded = DecodedPage::Decode(page).value();
  ASSERT_EQ(decoded.text(), "<meta charset=latin1>é€x");
  const std::vector<std::pair<size_t, uint64_t>> cases = {{0, 0}, {21, 21}, {23, 22}, {26, 23}};
  for (const auto& [at, source] : cases) EXPECT_EQ(decoded.SourceOffset(at), source) << at;
}

}  // namespace
}  // namespace zhiwen
