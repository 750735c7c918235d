#include "document/types/markdown.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include <fmt/format.h>

#include "base/utf8/transcoder.h"

namespace zhiwen {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

ExtractedDocument Extract(const std::string& bytes) {
  return ExtractDocument(bytes, {.type = DocumentType::kMarkdown}).value();
}

// The blocks: kind and level, the text, and the bytes of the source.
std::vector<std::string> BlocksOf(const std::string& bytes) {
  const ExtractedDocument document = Extract(bytes);
  std::vector<std::string> all;
  for (const ExtractedBlock& block : document.blocks) {
    const auto part = [](std::string_view of, const ByteSpan& span) {
      return of.substr(span.begin.value, span.end.value - span.begin.value);
    };
    all.push_back(fmt::format("{}{} {}|{}", BlockKindName(block.kind), block.level,
                              part(document.text, block.text), part(bytes, block.source)));
  }
  return all;
}

TEST(Markdown, BlocksHaveTheirKindsAndLevels) {
  EXPECT_THAT(
      BlocksOf("# 山路\n\n第一段，\n还在第一段。\n\n小标题\n---\n\n### 第三级 ###\n"),
      ElementsAre("heading1 山路|山路", "paragraph0 第一段，还在第一段。|第一段，\n还在第一段。",
                  "heading2 小标题|小标题", "heading3 第三级|第三级"));
  EXPECT_THAT(BlocksOf("- 一\n- 二\n  1. 甲\n\n     还是甲\n  2. 乙\n\n> 引文\n> - 条\n"),
              ElementsAre("list_item1 一|一", "list_item1 二|二", "list_item2 甲|甲",
                          "list_item2 还是甲|还是甲", "list_item2 乙|乙", "quote0 引文|引文",
                          "list_item1 条|条"));
  EXPECT_THAT(
      BlocksOf("```cpp\nint a;\n\n  return *a;\n```\n\n    indented\n"),
      ElementsAre("code0 int a;|int a;", "code0 return *a;|return *a;", "code0 indented|indented"));
  EXPECT_THAT(BlocksOf("|书名|作者|\n|---|:--:|\n|*山路*|无名|\n| |二|\n"),
              ElementsAre("table_row0 书名\t作者|书名|作者", "table_row0 山路\t无名|山路*|无名",
                          "table_row0 二|二"));
}

TEST(Markdown, MarksInsideOfLinesAreLeftOut) {
  EXPECT_THAT(BlocksOf("a *b* **c** `d*e` [链接](http://x.example \"t\") ![图](p.png) ~~f~~\n"),
              ElementsAre(testing::StartsWith("paragraph0 a b c d*e 链接  f|a *b*")));
  EXPECT_THAT(BlocksOf("A&amp;B &#20013; &nosuch; \\*x\\*"),
              ElementsAre("paragraph0 A&B 中 &nosuch; *x*|A&amp;B &#20013; &nosuch; \\*x\\*"));
  EXPECT_EQ(Extract("one\ntwo  \nthree").text, "one two three");
  EXPECT_EQ(Extract("甲<br>乙<b>丙</b>").text, "甲乙丙");
  EXPECT_EQ(Extract("- [x] 做完\n- [ ] 没做").text, "做完\n没做");
}

TEST(Markdown, HtmlIsLeftOutAndTold) {
  const ExtractedDocument document = Extract("<div>\n<p>a</p>\n</div>\n\n文\n");
  EXPECT_EQ(document.type, DocumentType::kMarkdown);
  EXPECT_EQ(document.text, "文");
  EXPECT_THAT(document.notes, ElementsAre("a block of HTML is not in the text"));
  EXPECT_EQ(Extract("<!DOCTYPE html><p>a page</p>").type, DocumentType::kHtml);
  EXPECT_THAT(Extract("文").notes, IsEmpty());
}

TEST(Markdown, FrontMatterSaysFacts) {
  const ExtractedDocument document = Extract(
      "---\ntitle: \"山路: 一\"\nAuthor: 无名\ndate: 2024-05-01\nlang: zh\ntags: [a]\n---\n正文\n");
  EXPECT_EQ(document.title, "山路: 一");
  EXPECT_EQ(document.author, "无名");
  EXPECT_EQ(document.date, "2024-05-01");
  EXPECT_EQ(document.language, "zh");
  EXPECT_EQ(document.text, "正文");
  EXPECT_EQ(document.blocks.front().source.begin.value, 80u);
  EXPECT_EQ(Extract("---\ntitle: 没有结尾\n\n正文").title, "");
}

TEST(Markdown, OtherEncodingsLeadBackToTheirBytes) {
  const std::string text = "# 山路上的新学校\n\n今天*开学*了，来了很多人，大家都说好。\n";
  const std::string gbk = EncodeText(text, TextEncoding::kGb18030).value();
  const ExtractedDocument document = Extract(gbk);
  EXPECT_EQ(document.encoding, "gb18030");
  EXPECT_EQ(document.text, Extract(text).text);
  ASSERT_EQ(document.blocks.size(), 2u);
  EXPECT_EQ(document.blocks[1].source.begin.value, gbk.find('\n') + 2);
  EXPECT_EQ(document.blocks[1].source.end.value, gbk.size() - 1);
}

TEST(Markdown, OnlyTheNameTells) {
  EXPECT_EQ(DocumentTypeOfPath("a/README.md"), DocumentType::kMarkdown);
  EXPECT_EQ(DocumentTypeOfPath("a.MARKDOWN.gz"), DocumentType::kMarkdown);
  EXPECT_EQ(ExtractDocument("# a")->type, DocumentType::kText);
  EXPECT_EQ(ExtractDocument("%PDF-1.4", {.type = DocumentType::kMarkdown}).has_value(), false);
}

// Nothing that marks can do takes more than linear time, or leaves the text.
TEST(Markdown, HostileTextsAreRead) {
  for (const std::string& unit : {std::string("["), std::string("*a_"), std::string("> "),
                                  std::string("- "), std::string("`"), std::string("<a "),
                                  std::string("![["), std::string("|"), std::string("&")}) {
    std::string text;
    while (text.size() < 200000) text += unit;
    Extract(text);
  }
  std::mt19937 random(3);
  constexpr std::string_view kMarks = "#>-*_`[]()!|<&\\ \n\n1.中~:\t";
  for (int i = 0; i < 300; ++i) {
    std::string text;
    for (int c = 0; c < 400; ++c) text += kMarks[random() % kMarks.size()];
    const ExtractedDocument document = Extract(text);
    for (const ExtractedBlock& block : document.blocks) {
      EXPECT_LE(block.source.begin.value, block.source.end.value);
      EXPECT_LE(block.source.end.value, text.size());
    }
  }
}

}  // namespace
}  // namespace zhiwen
