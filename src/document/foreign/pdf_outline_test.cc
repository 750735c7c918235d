#include "document/foreign/pdf_outline.h"

#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "document/foreign/pdf.h"
#include "support/pdf_builder.h"
#include "zhiwen/body_tree.h"
#include "zhiwen/extract.h"

namespace zhiwen {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// "1 第一章 总则" for each heading that is found.
std::vector<std::string> HeadingsOf(std::string_view page, std::vector<std::string> titles) {
  std::vector<OutlineTitle> outline;
  for (const std::string& title : titles) outline.push_back({.text = title, .page = 1});
  std::vector<std::string> found;
  for (const HeadingLines& heading : FindHeadings(page, outline)) {
    found.emplace_back(page.substr(heading.begin, heading.end - heading.begin));
  }
  return found;
}

std::vector<std::string> HeadingBlocks(const ExtractedDocument& document) {
  std::vector<std::string> headings;
  for (const ExtractedBlock& block : document.blocks) {
    if (block.kind != BlockKind::kHeading) continue;
    headings.push_back(fmt::format(
        "{} {}", block.level, document.text.substr(block.text.begin.value, block.text.size())));
  }
  return headings;
}

TEST(PdfOutline, TitlesAreFoundAsWholeLines) {
  EXPECT_THAT(HeadingsOf("总则\n正文说总则。\n附则\n", {"总则", "附则"}),
              ElementsAre("总则", "附则"));
  EXPECT_THAT(HeadingsOf("正文说总则\n总则在此\n总则\n", {"总则"}), ElementsAre("总则"));
  EXPECT_THAT(HeadingsOf("Ｔｈｅ ﬁrst：ＡＢＣ\n", {"The First (abc)"}),
              ElementsAre("Ｔｈｅ ﬁrst：ＡＢＣ"));
  EXPECT_THAT(
      HeadingsOf("text\n1\n\nA long title that\ngoes on\ntext\n", {"1 A long title that goes on"}),
      ElementsAre("1\n\nA long title that\ngoes on"));
}

TEST(PdfOutline, NumbersMayStandInOneOfBoth) {
  EXPECT_THAT(HeadingsOf("1.2 引言\n第三章　结论\n", {"引言", "结论"}),
              ElementsAre("1.2 引言", "第三章　结论"));
  EXPECT_THAT(HeadingsOf("引言\n结论\n", {"1.2 引言", "第三章 结论"}), ElementsAre("引言", "结论"));
  EXPECT_THAT(HeadingsOf("长引言\n", {"引言"}), IsEmpty());
  EXPECT_THAT(HeadingsOf("12\n3\n", {"12", "3", "。", ""}), IsEmpty());
}

TEST(PdfOutline, TitlesFollowOneAnother) {
  EXPECT_THAT(HeadingsOf("甲\n乙\n甲\n", {"甲", "甲", "甲"}), ElementsAre("甲", "甲"));
  EXPECT_THAT(HeadingsOf("甲\n乙\n", {"乙", "甲"}), ElementsAre("乙"));
  EXPECT_THAT(HeadingsOf("甲\n" + std::string(kMostHeadingPageBytes, 'x'), {"甲"}), IsEmpty());
}

TEST(PdfOutline, MakesHeadingsOfTheText) {
  // Each line is as wide as the text below: only the outline says that the first is a heading.
  const std::vector<PdfPage> pages = {
      {"文本指纹的历史以及它的用途", "文本指纹是一种查找重复内容的方", "法。", "", "Early days",
       "这一段说它的早期，也说它的名字。"},
      {"结论", "指纹很有用。"}};
  const std::vector<PdfBookmark> outline = {{"1 文本指纹的历史以及它的用途", 0},
                                            {"Early  days", 0, 1},
                                            {"不在此页", 0, 1},
                                            {"结论", 1},
                                            {"无页", 9}};
  const ExtractedDocument document = ExtractDocument(MakePdf(pages, {}, outline)).value();
  EXPECT_EQ(document.text,
            "文本指纹的历史以及它的用途\n文本指纹是一种查找重复内容的方法。\nEarly days\n"
            "这一段说它的早期，也说它的名字。\n结论\n指纹很有用。");
  EXPECT_THAT(HeadingBlocks(document),
              ElementsAre("1 文本指纹的历史以及它的用途", "2 Early days", "1 结论"));
  EXPECT_EQ(BodyLevels(MakeBodyTree(document)), "1 2 2 3 1 2");
  EXPECT_THAT(document.notes, IsEmpty());
  EXPECT_THAT(HeadingBlocks(ExtractPdf(MakePdf(pages)).value()), IsEmpty());
}

TEST(PdfOutline, IsLookedForOnlyWhereOneMayBe) {
  EXPECT_FALSE(MayHavePdfOutline(MakePdf({{"文"}})));
  EXPECT_TRUE(MayHavePdfOutline(MakePdf({{"文"}}, {}, {{"文"}})));
  EXPECT_TRUE(MayHavePdfOutline("%PDF-1.5 <</Type/ObjStm>>"));
  EXPECT_FALSE(MayHavePdfOutline("%PDF-1.5 <</Type/ObjStm>> <</Type/Catalog>>"));
}

TEST(PdfOutline, HostileOnesCostHeadingsOnly) {
  const std::vector<PdfPage> pages = {{"甲", "正文"}};
  std::vector<PdfBookmark> deep, many(kMostOutlineTitles, {"丙"});
  for (size_t level = 0; level < 300; ++level) deep.push_back({"甲", 0, level});
  const ExtractedDocument too_deep = ExtractPdf(MakePdf(pages, {}, deep)).value();
  EXPECT_EQ(too_deep.text, "甲\n正文");
  EXPECT_THAT(HeadingBlocks(too_deep), IsEmpty());
  EXPECT_THAT(too_deep.notes,
              ElementsAre(HasSubstr("headings are missing, for the outline cannot be read: ")));

  many.push_back({"甲"});
  const std::string long_outline = MakePdf(pages, {}, many);
  EXPECT_EQ(ReadPdfOutline(long_outline)->size(), kMostOutlineTitles);
  EXPECT_THAT(HeadingBlocks(ExtractPdf(long_outline).value()), IsEmpty());

  std::string circle = MakePdf(pages, {}, {{"甲"}, {"乙"}});
  const size_t next = circle.find("/Next") + 6, previous = circle.find("/Prev") + 6;
  circle.replace(next, 2, circle, previous, 2);  // the first one follows itself
  EXPECT_THAT(HeadingBlocks(ExtractPdf(circle).value()), ElementsAre("1 甲"));

  std::string none = MakePdf(pages, {}, {{"甲"}});
  none.replace(none.find("/Outlines"), 14, "/Outlines (no)");
  EXPECT_THAT(HeadingBlocks(ExtractPdf(none).value()), IsEmpty());
}

}  // namespace
}  // namespace zhiwen
