#include "document/foreign/pdf.h"

#include <cstdlib>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "document/foreign/printed_lines.h"
#include "support/pdf_builder.h"
#include "zhiwen/extract.h"

namespace zhiwen {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> Paragraphs(std::string_view text) {
  std::vector<std::string> texts;
  for (const OfficeBlock& block : ParagraphsOfPrintedLines(text)) texts.push_back(block.text);
  return texts;
}

TEST(PrintedLines, BecomeParagraphs) {
  EXPECT_THAT(Paragraphs("文本指纹是一种查找重复内容的方\n法，它把文本变成一组很短的数字。\n第二段"
                         "\n\nThe words of these lines are one\nparagraph of English.\n"),
              ElementsAre("文本指纹是一种查找重复内容的方法，它把文本变成一组很短的数字。",
                          "第二段", "The words of these lines are one paragraph of English."));
  EXPECT_THAT(Paragraphs("12\n13\n\n14\f15"), ElementsAre("12", "13", "14", "15"));
  EXPECT_THAT(
      Paragraphs("第一章 指纹的历史和用途 ........ 1\n第二章 指纹的历史和用途 ........ 9"),
      ElementsAre("第一章 指纹的历史和用途 ........ 1", "第二章 指纹的历史和用途 ........ 9"));
  EXPECT_THAT(Paragraphs("这一行很长很长很长很长很长很长\n1. 这一行也很长很长很长很长很长"),
              ElementsAre("这一行很长很长很长很长很长很长", "1. 这一行也很长很长很长很长很长"));
  EXPECT_THAT(Paragraphs(""), ElementsAre());
}

TEST(Pdf, HasItsTextAndWhatItSaysOfItself) {
  const std::string file =
      MakePdf({{"指纹引擎", "", "文本指纹是一种查找重复内容的方", "法。"}, {"A second page"}},
              "/Title <FEFF63077EB9> /Author (Li & Wang) /CreationDate (D:20240102030405Z)");
  const ExtractedDocument document = ExtractDocument(file).value();
  EXPECT_EQ(document.type, DocumentType::kPdf);
  EXPECT_EQ(document.kind, ExtractedKind::kArticle);
  EXPECT_EQ(document.text, "指纹引擎\n文本指纹是一种查找重复内容的方法。\nA second page");
  EXPECT_EQ(document.title, "指纹");
  EXPECT_EQ(document.author, "Li & Wang");
  EXPECT_THAT(document.date, ::testing::StartsWith("2024-01-02T03:04:05"));
  EXPECT_THAT(document.notes, ElementsAre());
  for (const ExtractedBlock& block : document.blocks) {
    EXPECT_EQ(block.source.begin.value, 0U);
    EXPECT_EQ(block.source.end.value, file.size());
  }
}

TEST(Pdf, PagesWithoutTextAreCounted) {
  const ExtractedDocument scanned = ExtractPdf(MakePdf({{}, {}})).value();
  EXPECT_EQ(scanned.kind, ExtractedKind::kEmpty);
  EXPECT_THAT(scanned.notes, ElementsAre(HasSubstr("of 2 pages 2 have no text")));
  EXPECT_THAT(ExtractPdf(MakePdf({{"文"}, {}}))->notes, ElementsAre(HasSubstr("of 2 pages 1 ")));
}

TEST(Pdf, BrokenFilesFail) {
  const auto broken = ExtractDocument("%PDF-1.7\nno PDF file");
  EXPECT_EQ(broken.error().code, ErrorCode::kUnreadable);
  EXPECT_THAT(broken.error().message, HasSubstr("the file is damaged or encrypted: pdftotext"));
  const std::string sound = MakePdf({{"一行文字"}});
  for (size_t size = 8; size < sound.size(); size += sound.size() / 8) {
    const auto cut = ExtractDocument(sound.substr(0, size));
    EXPECT_TRUE(cut || cut.error().code == ErrorCode::kUnreadable);
  }
}

TEST(Pdf, SaysWhichProgramIsNotInstalled) {
  const std::string path = std::getenv("PATH");
  setenv("PATH", "", 1);
  const auto document = ExtractDocument(MakePdf({{"文"}}));
  setenv("PATH", path.c_str(), 1);
  EXPECT_EQ(document.error().code, ErrorCode::kUnavailable);
  EXPECT_EQ(document.error().message,
            "cannot read PDF files: the program pdftotext is not installed (Debian: "
            "poppler-utils)");
}

}  // namespace
}  // namespace zhiwen
