#include "document/decoded_text.h"

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

Result<DecodedText> DecodePage(std::string_view bytes, std::string_view outer = {}) {
  return DecodedText::Decode(bytes, {InnerDeclaration::kHtml, outer});
}

TEST(DecodedText, WhatIsDeclaredIsFoundInEveryForm) {
  EXPECT_EQ(FindDeclaredEncoding("<meta charset=gbk>", InnerDeclaration::kHtml), "gbk");
  EXPECT_EQ(FindDeclaredEncoding("<META CharSet = 'Big5'>", InnerDeclaration::kHtml), "Big5");
  EXPECT_EQ(FindDeclaredEncoding("content=\"text/html; charset=gb2312\"", InnerDeclaration::kHtml),
            "gb2312");
  EXPECT_EQ(
      FindDeclaredEncoding("<?xml version='1.0' encoding=\"GB18030\"?>", InnerDeclaration::kHtml),
      "GB18030");
  EXPECT_EQ(
      FindDeclaredEncoding("the charset of a page <meta charset=utf-8>", InnerDeclaration::kHtml),
      "utf-8");
  EXPECT_EQ(FindDeclaredEncoding("<p>charset", InnerDeclaration::kHtml), "");
}

TEST(DecodedText, ValidUtf8IsUtf8WhateverIsDeclared) {
  const std::string page = "<meta charset=gbk>" + std::string(kChinese);
  const DecodedText decoded = DecodePage(page).value();
  EXPECT_EQ(decoded.encoding(), "utf-8");
  EXPECT_EQ(decoded.declared(), "gbk");
  EXPECT_EQ(decoded.text(), page);
}

TEST(DecodedText, WhatIsDeclaredIsReadSo) {
  const std::string gbk = "<meta charset=GB2312>" + In(kChinese, TextEncoding::kGb18030);
  EXPECT_EQ(DecodePage(gbk)->encoding(), "gb18030");
  EXPECT_EQ(DecodePage(gbk)->text(), "<meta charset=GB2312>" + std::string(kChinese));
  const std::string latin = "<meta charset=iso-8859-1>caf\xe9 \x93quoted\x94";
  EXPECT_EQ(DecodePage(latin)->text(), "<meta charset=iso-8859-1>café “quoted”");
  EXPECT_EQ(DecodePage(latin)->encoding(), "windows-1252");
}

TEST(DecodedText, WhatIsNotDeclaredIsRecognised) {
  for (const TextEncoding encoding : {TextEncoding::kGb18030, TextEncoding::kBig5}) {
    const std::string traditional = "<p>我們在北京的大學裡學習中文，也寫一些關於歷史的文章。</p>";
    const std::string text = encoding == TextEncoding::kBig5 ? traditional : std::string(kChinese);
    const std::string page = In(text, encoding);
    EXPECT_EQ(DecodePage(page)->text(), text) << TextEncodingName(encoding);
  }
  // A wrong declaration does not hide it.
  const std::string wrong = "<meta charset=utf-8>" + In(kChinese, TextEncoding::kGb18030);
  EXPECT_EQ(DecodePage(wrong)->encoding(), "gb18030");
}

TEST(DecodedText, AByteOrderMarkDecides) {
  const std::string utf8 = "\xef\xbb\xbf<p>中</p>";
  EXPECT_EQ(DecodePage(utf8)->text(), "<p>中</p>");
  EXPECT_EQ(DecodePage(utf8)->SourceOffset(3), 6U);
  const std::string utf16 = "\xff\xfe" + In(kChinese, TextEncoding::kUtf16Le);
  EXPECT_EQ(DecodePage(utf16)->encoding(), "utf-16le");
  EXPECT_EQ(DecodePage(utf16)->text(), kChinese);
}

TEST(DecodedText, BytesWithoutMeaningAreCountedAndHideNothing) {
  std::string page = "<meta charset=gbk>" + In("中文", TextEncoding::kGb18030) + "\xff" +
                     In("正文", TextEncoding::kGb18030) + "\xff";
  const DecodedText decoded = DecodePage(page).value();
  EXPECT_EQ(decoded.text(), "<meta charset=gbk>中文\uFFFD正文\uFFFD");
  EXPECT_EQ(decoded.errors(), 2U);
  const std::string broken =
      "<meta charset=utf-8>" + std::string(kChinese) + "\xe4\xb8" + std::string(kChinese);
  EXPECT_EQ(DecodePage(broken)->errors(), 1U);
  EXPECT_EQ(DecodePage(broken)->encoding(), "utf-8");
}

TEST(DecodedText, AnXmlDeclarationIsAtTheBeginning) {
  EXPECT_EQ(
      FindDeclaredEncoding("<?xml version='1.0' encoding='GBK'?><a/>", InnerDeclaration::kXml),
      "GBK");
  EXPECT_EQ(
      FindDeclaredEncoding("<?xml version='1.0'?><a encoding='GBK'/>", InnerDeclaration::kXml), "");
  EXPECT_EQ(FindDeclaredEncoding("<meta charset=gbk>", InnerDeclaration::kXml), "");
  EXPECT_EQ(FindDeclaredEncoding("<meta charset=gbk>", InnerDeclaration::kNone), "");
}

TEST(DecodedText, WhatADocumentCameWithPrecedesWhatItSays) {
  const std::string page =
      "<meta charset=big5>" + In("我们在北京的大学里学习中文", TextEncoding::kGb18030);
  EXPECT_EQ(DecodePage(page, "gbk")->encoding(), "gb18030");
  EXPECT_EQ(DecodePage(page, "gbk")->declared(), "gbk");
  // Names that tell nothing: of no encoding, and what many servers say of everything.
  const std::string gbk = "<meta charset=gbk>" + In("北京", TextEncoding::kGb18030);
  for (const char* const outer : {"none", "utf-8", "ISO-8859-1"}) {
    EXPECT_EQ(DecodePage(gbk, outer)->encoding(), "gb18030") << outer;
    EXPECT_EQ(DecodePage(gbk, outer)->declared(), "gbk") << outer;
  }
  EXPECT_EQ(DecodedText::Decode("caf\xe9", {.outer = "latin1"})->text(), "café");
  EXPECT_EQ(DecodedText::Decode(gbk)->declared(), "") << "a plain text declares nothing";
}

TEST(DecodedText, BytesOverruleAWrongDeclaration) {
  const std::string latin = "<meta charset=iso-8859-1>" + In(kChinese, TextEncoding::kGb18030);
  EXPECT_EQ(DecodePage(latin)->encoding(), "gb18030");
  const std::string broken =
      "<meta charset=gbk>" + std::string(kChinese) + "\xe4\xb8" + std::string(kChinese);
  EXPECT_EQ(DecodePage(broken)->encoding(), "utf-8");
  EXPECT_EQ(DecodePage(broken)->errors(), 1U);
}

TEST(DecodedText, OtherAlphabetsAreReadByName) {
  const std::string page = "<meta charset=KOI8-R>\xcd\xc9\xd2";
  EXPECT_EQ(DecodePage(page)->text(), "<meta charset=KOI8-R>мир");
  EXPECT_EQ(DecodePage(page)->encoding(), "koi8-r");
  EXPECT_EQ(DecodePage(page)->SourceOffset(23), 22U);
}

TEST(DecodedText, Utf16WithoutAMarkIsRecognised) {
  const std::string page = In("<html><p>plain text</p></html>", TextEncoding::kUtf16Le);
  EXPECT_EQ(DecodePage(page)->encoding(), "utf-16le");
  const std::string cut = page.substr(0, page.size() - 1);
  EXPECT_EQ(DecodePage(cut)->encoding(), "utf-16le");
  EXPECT_EQ(DecodePage(cut)->errors(), 1U);
  const std::string with_null("a\0b", 3);
  EXPECT_EQ(DecodePage(with_null)->encoding(), "utf-8");
}

// All characters of two bytes, and of three and four: each leads back to its bytes.
TEST(DecodedText, EveryCharacterLeadsBackToItsBytes) {
  const struct {
    TextEncoding encoding;
    std::string_view common, longer;  // what its texts are made of; other lengths, in its bytes
  } cases[] = {{TextEncoding::kGb18030, "我们的", "\x81\x30\x81\x30"},
               {TextEncoding::kBig5, "我們的", ""},
               {TextEncoding::kShiftJis, "これは", "\xB1\xDF"},
               {TextEncoding::kEucJp, "これは", "\x8F\xB0\xA1"},
               {TextEncoding::kEucKr, "이다는", ""},
               {TextEncoding::kEucTw, "我們的", "\x8E\xA2\xA1\xAF"},
               {TextEncoding::kWindows1252, "déjà vu", "\x80\xE9"}};
  for (const auto& [encoding, common, longer] : cases) {
    TextDecoder decoder = TextDecoder::Create(encoding).value();
    std::string bytes, text;
    for (int i = 0; i < 1000; ++i) {
      bytes += In(common, encoding);
      text += common;
    }
    std::vector<std::pair<size_t, size_t>> begins;  // in the text, in the bytes
    for (int code = 0x8000; code < 0x10000; ++code) {
      const std::string character = {static_cast<char>(code >> 8), static_cast<char>(code)};
      std::string one, lead;
      // The C library reads A2E8 of CP949, a mark of the Korean post, as nothing.
      if (decoder.Decode(character, one) != 2 || one.empty() ||
          decoder.Decode(character.substr(0, 1), lead) == 1) {
        continue;
      }
      begins.emplace_back(text.size(), bytes.size());
      bytes += character + "a" + std::string(longer);
      text += one + "a";
      decoder.Decode(longer, text);
    }
    const DecodedText decoded =
        DecodedText::Decode(bytes, {.outer = TextEncodingName(encoding)}).value();
    ASSERT_TRUE(decoded.text() == text) << TextEncodingName(encoding);
    ASSERT_EQ(begins.size() > 5000, encoding != TextEncoding::kWindows1252);
    for (size_t i = 0; i < begins.size(); i += 7) {
      ASSERT_EQ(decoded.SourceOffset(begins[i].first), begins[i].second)
          << TextEncodingName(encoding) << i;
    }
  }
}

// Every character of a long text leads back to the bytes that it was decoded from.
TEST(DecodedText, OffsetsLeadBackToTheSource) {
  std::string text = "<meta charset=x>";
  for (int i = 0; i < 400; ++i) text += "中a文é字、😀" + std::to_string(i);
  for (const TextEncoding encoding :
       {TextEncoding::kGb18030, TextEncoding::kUtf16Le, TextEncoding::kUtf16Be}) {
    std::string page = In(text, encoding);
    std::string mark = In("\uFEFF", encoding);
    if (encoding == TextEncoding::kGb18030) mark.clear();
    page = mark + page;
    const DecodedText decoded = DecodePage(page).value();
    ASSERT_EQ(decoded.text(), text);
    size_t source = mark.size();
    VisitCodePoints(text, [&](const DecodedCodePoint& c, size_t begin) {
      EXPECT_EQ(decoded.SourceOffset(begin), source) << TextEncodingName(encoding);
      source += In(std::string_view(text).substr(begin, c.length), encoding).size();
    });
    EXPECT_EQ(decoded.SourceOffset(text.size()), page.size());
  }
}

TEST(DecodedText, OffsetsLeadBackAlsoBehindBytesWithoutMeaning) {
  const std::string head = "<meta charset=big5>";
  const std::string word = In("正文", TextEncoding::kBig5);
  // A letter with a mark is one character of HKSCS and two of Unicode.
  const std::string page = head + word + "\xff" + word + "\x88\x62" + word;
  const DecodedText decoded = DecodePage(page).value();
  ASSERT_EQ(decoded.text(), head + "正文\uFFFD正文\u00CA\u0304正文");
  const std::vector<std::pair<size_t, uint64_t>> cases = {{0, 0},  {3, 2},  {6, 4},   {9, 5},
                                                          {12, 7}, {15, 9}, {19, 11}, {22, 13}};
  for (const auto& [at, source] : cases) {
    EXPECT_EQ(decoded.SourceOffset(head.size() + at), head.size() + source) << at;
  }
}

TEST(DecodedText, OffsetsOfWindows1252LeadBackToTheSource) {
  const std::string page = "<meta charset=latin1>\xe9\x80x";
  const DecodedText decoded = DecodePage(page).value();
  ASSERT_EQ(decoded.text(), "<meta charset=latin1>é€x");
  const std::vector<std::pair<size_t, uint64_t>> cases = {{0, 0}, {21, 21}, {23, 22}, {26, 23}};
  for (const auto& [at, source] : cases) EXPECT_EQ(decoded.SourceOffset(at), source) << at;
}

}  // namespace
}  // namespace zhiwen
