#include "document/office/docx.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "document/office/zip_archive.h"
#include "support/zip_builder.h"

namespace zhiwen {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string TextRun(const std::string& text) { return "<w:r><w:t>" + text + "</w:t></w:r>"; }

std::string Paragraph(const std::string& text, const std::string& properties = {}) {
  return "<w:p><w:pPr>" + properties + "</w:pPr>" + TextRun(text) + "</w:p>";
}

std::string Styled(const std::string& text, const std::string& style) {
  return Paragraph(text, "<w:pStyle w:val=\"" + style + "\"/>");
}

std::string Listed(const std::string& text, int list, int level = 0) {
  return Paragraph(text, "<w:numPr><w:ilvl w:val=\"" + std::to_string(level) +
                             "\"/><w:numId w:val=\"" + std::to_string(list) + "\"/></w:numPr>");
}

ExtractedDocument ExtractWord(const std::string& body, const ZipMembers& parts = {}) {
  return ExtractDocx(MakeWord(body, parts)).value();
}

std::string TextOf(const std::string& body, const ZipMembers& parts = {}) {
  return ExtractWord(body, parts).text;
}

TEST(Docx, ParagraphsAreLines) {
  const ExtractedDocument document =
      ExtractWord(Paragraph("春眠不觉晓，") + "<w:p/>" + Paragraph("处处闻啼鸟。"));
  EXPECT_EQ(document.text, "春眠不觉晓，\n处处闻啼鸟。");
  EXPECT_EQ(document.type, DocumentType::kDocx);
  EXPECT_EQ(document.kind, ExtractedKind::kArticle);
  EXPECT_EQ(document.member, "word/document.xml");
  EXPECT_EQ(ExtractWord("<w:p/>").kind, ExtractedKind::kEmpty);
}

TEST(Docx, SourcesAreTheElementsOfParagraphsAndRows) {
  const std::string body = Paragraph("一 &lt; 二") + "<w:tbl><w:tr><w:tc><w:p>" + TextRun("甲") +
                           "</w:p></w:tc><w:tc>" + Paragraph("乙") + "</w:tc></w:tr></w:tbl>" +
                           "<w:p w:rsidR='a>b'>" + TextRun("末") + "</w:p>";
  const ExtractedDocument document = ExtractWord(body);
  std::string xml = ZipArchive::Open(MakeWord(body)).value().Read("word/document.xml").value();
  std::vector<std::string> sources;
  for (const ExtractedBlock& block : document.blocks) {
    sources.push_back(xml.substr(block.source.begin.value, block.source.size()));
  }
  EXPECT_THAT(sources, ElementsAre(Paragraph("一 &lt; 二"),
                                   "<w:tr><w:tc><w:p>" + TextRun("甲") + "</w:p></w:tc><w:tc>" +
                                       Paragraph("乙") + "</w:tc></w:tr>",
                                   "<w:p w:rsidR='a>b'>" + TextRun("末") + "</w:p>"));
  // What is in a range says the line of its block again.
  for (size_t i = 0; i < sources.size(); ++i) {
    const ByteSpan text = document.blocks[i].text;
    EXPECT_EQ(TextOf(sources[i]), document.text.substr(text.begin.value, text.size()));
  }
}

TEST(Docx, RowsAreLinesAndFramesAreNone) {
  const std::string row = "<w:tr><w:tc>" + Paragraph("姓名") + "</w:tc><w:tc>" + Paragraph("张") +
                          Paragraph("三") + "</w:tc></w:tr>";
  const std::string deleted = "<w:tr><w:trPr><w:del w:id=\"1\"/></w:trPr><w:tc>" + Paragraph("旧") +
                              "</w:tc><w:tc>" + Paragraph("行") + "</w:tc></w:tr>";
  const ExtractedDocument document =
      ExtractWord("<w:tbl>" + row + deleted + "</w:tbl><w:tbl><w:tr><w:tc>" + Paragraph("第一段") +
                  Paragraph("第二段") + "</w:tc></w:tr></w:tbl>");
  EXPECT_EQ(document.text, "姓名\t张 三\n第一段\n第二段");
  EXPECT_EQ(document.blocks[0].kind, BlockKind::kTableRow);
  EXPECT_EQ(document.blocks[1].kind, BlockKind::kParagraph);
}

TEST(Docx, TrackedChangesAreAccepted) {
  EXPECT_EQ(TextOf("<w:p>" + TextRun("保留") + "<w:del>" +
                   "<w:r><w:delText>删去</w:delText></w:r></w:del><w:ins>" + TextRun("插入") +
                   "</w:ins><w:moveFrom>" + TextRun("移走") + "</w:moveFrom><w:moveTo>" +
                   TextRun("移来") + "</w:moveTo></w:p>"),
            "保留插入移来");
  // A deleted end of a paragraph joins it to the next one.
  EXPECT_EQ(
      TextOf(Paragraph("上半句，", "<w:rPr><w:del w:id=\"1\"/></w:rPr>") + Paragraph("下半句。")),
      "上半句，下半句。");
  EXPECT_EQ(TextOf(Paragraph("末段", "<w:rPr><w:del w:id=\"1\"/></w:rPr>")), "末段");
  // What was before a change is no property.
  EXPECT_EQ(ExtractWord(Paragraph("文",
                                  "<w:pPrChange><w:pPr><w:outlineLvl w:val=\"0\"/></w:pPr>"
                                  "</w:pPrChange>"))
                .blocks[0]
                .kind,
            BlockKind::kParagraph);
}

TEST(Docx, FieldsShowTheirResult) {
  const auto mark = [](const std::string& kind) {
    return "<w:r><w:fldChar w:fldCharType=\"" + kind + "\"/></w:r>";
  };
  EXPECT_EQ(TextOf("<w:p>" + TextRun("见第 ") + mark("begin") +
                   "<w:r><w:instrText>PAGEREF _Toc1</w:instrText></w:r>" + mark("begin") +
                   TextRun("代码") + mark("end") + mark("separate") + TextRun("7") + mark("end") +
                   TextRun(" 页") + "</w:p>"),
            "见第 7 页");
  // A field without an end hides nothing behind its paragraph.
  EXPECT_EQ(TextOf("<w:p>" + mark("begin") + TextRun("代码") + "</w:p>" + Paragraph("正文")),
            "正文");
}

TEST(Docx, OneFormOfATextBoxIsRead) {
  const auto box = [](const std::string& text) {
    return "<w:txbxContent>" + Paragraph(text) + "</w:txbxContent>";
  };
  EXPECT_EQ(TextOf("<w:p>" + TextRun("正文") + "<w:r><mc:AlternateContent><mc:Choice>" + box("框") +
                   "</mc:Choice><mc:Fallback>" + box("框") +
                   "</mc:Fallback></mc:AlternateContent></w:r>" + TextRun("继续") + "</w:p>"),
            "正文继续\n框");
  EXPECT_EQ(TextOf("<w:p><w:r><mc:AlternateContent><mc:Fallback>" + box("旧框") +
                   "</mc:Fallback></mc:AlternateContent></w:r></w:p>"),
            "旧框");
}

TEST(Docx, CharactersThatAreElements) {
  EXPECT_EQ(TextOf("<w:p><w:r><w:t>甲</w:t><w:tab/><w:t>乙</w:t><w:br/><w:t>丙</w:t>"
                   "<w:noBreakHyphen/><w:softHyphen/><w:sym w:font=\"Wingdings\" w:char=\"F0FC\"/>"
                   "<w:sym w:char=\"2192\"/><w:t>丁\u00AD戊</w:t></w:r></w:p>"),
            "甲\t乙\n丙-→丁戊");
  EXPECT_EQ(TextOf("<w:p><w:r><w:ruby><w:rt><w:r><w:t>hàn</w:t></w:r></w:rt><w:rubyBase>" +
                   TextRun("汉") + "</w:rubyBase></w:ruby></w:r></w:p>"),
            "汉");
}

TEST(Docx, HiddenTextAndCommentsAreNoted) {
  const ExtractedDocument document = ExtractWord(
      "<w:p>" + TextRun("可见") + "<w:r><w:rPr><w:vanish/></w:rPr><w:t>隐藏</w:t></w:r>" +
      "<w:r><w:rPr><w:vanish w:val=\"0\"/></w:rPr><w:t>也可见</w:t></w:r>" +
      "<w:r><w:commentReference w:id=\"0\"/></w:r></w:p>");
  EXPECT_EQ(document.text, "可见也可见");
  EXPECT_THAT(document.notes, ElementsAre("comments are left out", "hidden text is left out"));
}

TEST(Docx, NotesStandBehindTheirParagraphAndHeadersBehindTheirSection) {
  const ZipMembers parts = {{"footnotes", "<w:footnote w:id=\"-1\">" + Paragraph("") +
                                              "</w:footnote><w:footnote w:id=\"2\">" +
                                              Paragraph("见《史记》。") + "</w:footnote>"},
                            {"header1", Paragraph("某大学学报")},
                            {"header2", Paragraph("某大学学报")}};
  const std::string body = "<w:p>" + TextRun("正文") +
                           "<w:r><w:footnoteReference w:id=\"2\"/></w:r>" + TextRun("。") +
                           "</w:p>" + Paragraph("下一段") +
                           "<w:sectPr><w:headerReference w:type=\"first\" r:id=\"rId2\"/>"
                           "<w:headerReference w:type=\"default\" r:id=\"rId3\"/></w:sectPr>";
  const ExtractedDocument document = ExtractWord(body, parts);
  EXPECT_EQ(document.text, "正文。\n见《史记》。\n下一段\n某大学学报");
  const std::string xml = WordMembers(body)[2].second;
  EXPECT_EQ(xml.substr(document.blocks[1].source.begin.value, document.blocks[1].source.size()),
            "<w:footnoteReference w:id=\"2\"/>");
}

constexpr const char* kStyles =
    "<w:style w:type=\"paragraph\" w:default=\"1\" w:styleId=\"a\"><w:name w:val=\"Normal\"/>"
    "</w:style>"
    "<w:style w:type=\"paragraph\" w:styleId=\"1\"><w:name w:val=\"heading 1\"/>"
    "<w:basedOn w:val=\"a\"/><w:pPr><w:numPr><w:numId w:val=\"5\"/></w:numPr>"
    "<w:outlineLvl w:val=\"0\"/></w:pPr></w:style>"
    "<w:style w:type=\"paragraph\" w:styleId=\"2\"><w:name w:val=\"heading 2\"/>"
    "<w:pPr><w:numPr><w:ilvl w:val=\"1\"/><w:numId w:val=\"5\"/></w:numPr></w:pPr></w:style>"
    "<w:style w:type=\"paragraph\" w:styleId=\"x\"><w:name w:val=\"节标题\"/>"
    "<w:basedOn w:val=\"2\"/></w:style>"
    "<w:style w:type=\"paragraph\" w:styleId=\"y\"><w:name w:val=\"标题 3\"/></w:style>"
    "<w:style w:type=\"paragraph\" w:styleId=\"loop\"><w:basedOn w:val=\"loop\"/></w:style>"
    "<w:style w:type=\"numbering\" w:styleId=\"ls\"><w:pPr><w:numPr><w:numId w:val=\"5\"/>"
    "</w:numPr></w:pPr></w:style>";

constexpr const char* kNumbering =
    "<w:abstractNum w:abstractNumId=\"0\">"
    "<w:lvl w:ilvl=\"0\"><w:start w:val=\"1\"/><w:numFmt w:val=\"chineseCountingThousand\"/>"
    "<w:pStyle w:val=\"1\"/><w:suff w:val=\"space\"/><w:lvlText w:val=\"第%1章\"/></w:lvl>"
    "<w:lvl w:ilvl=\"1\"><w:start w:val=\"1\"/><w:numFmt w:val=\"decimal\"/><w:isLgl/>"
    "<w:lvlText w:val=\"%1.%2\"/></w:lvl>"
    "<w:lvl w:ilvl=\"2\"><w:start w:val=\"1\"/><w:numFmt w:val=\"lowerLetter\"/>"
    "<w:lvlText w:val=\"（%3）\"/><w:suff w:val=\"nothing\"/></w:lvl></w:abstractNum>"
    "<w:abstractNum w:abstractNumId=\"1\">"
    "<w:lvl w:ilvl=\"0\"><w:start w:val=\"1\"/><w:numFmt w:val=\"japaneseCounting\"/>"
    "<w:lvlText w:val=\"%1、\"/><w:suff w:val=\"nothing\"/></w:lvl>"
    "<w:lvl w:ilvl=\"1\"><w:start w:val=\"3\"/><w:numFmt w:val=\"ideographTraditional\"/>"
    "<w:lvlText w:val=\"%2.\"/></w:lvl></w:abstractNum>"
    "<w:abstractNum w:abstractNumId=\"2\"><w:lvl w:ilvl=\"0\"><w:numFmt w:val=\"bullet\"/>"
    "<w:lvlText w:val=\"●\"/></w:lvl></w:abstractNum>"
    "<w:abstractNum w:abstractNumId=\"3\"><w:numStyleLink w:val=\"ls\"/></w:abstractNum>"
    "<w:num w:numId=\"5\"><w:abstractNumId w:val=\"0\"/></w:num>"
    "<w:num w:numId=\"6\"><w:abstractNumId w:val=\"1\"/></w:num>"
    "<w:num w:numId=\"7\"><w:abstractNumId w:val=\"1\"/><w:lvlOverride w:ilvl=\"0\">"
    "<w:startOverride w:val=\"1\"/></w:lvlOverride></w:num>"
    "<w:num w:numId=\"8\"><w:abstractNumId w:val=\"2\"/></w:num>"
    "<w:num w:numId=\"9\"><w:abstractNumId w:val=\"3\"/></w:num>";

const ZipMembers& NumberedParts() {
  static const ZipMembers parts = {{"styles", kStyles}, {"numbering", kNumbering}};
  return parts;
}

TEST(Docx, HeadingsHaveTheirNumbersAndLevels) {
  const ExtractedDocument document = ExtractWord(
      Styled("绪论", "1") + Styled("背景", "2") + Styled("意义", "x") + Styled("方法", "1") +
          Styled("数据", "2") + Listed("细节", 5, 2) + Styled("小节", "y") +
          Paragraph("大纲", "<w:outlineLvl w:val=\"4\"/>") + Styled("正文", "loop") +
          Paragraph("没有号码", "<w:pStyle w:val=\"1\"/><w:numPr><w:numId w:val=\"0\"/></w:numPr>"),
      NumberedParts());
  EXPECT_EQ(document.text,
            "第一章 绪论\n1.1 背景\n1.2 意义\n第二章 方法\n2.1 数据\n（a）细节\n小节\n大纲\n正文\n"
            "没有号码");
  std::vector<int> levels;
  for (const ExtractedBlock& block : document.blocks) {
    levels.push_back(block.kind == BlockKind::kHeading ? block.level : 0);
  }
  EXPECT_THAT(levels, ElementsAre(1, 2, 2, 1, 2, 0, 3, 5, 0, 1));
}

TEST(Docx, ListsCountAsTheirDefinitionsSay) {
  const ExtractedDocument document =
      ExtractWord(Listed("甲", 6) + Listed("子", 6, 1) + Listed("丑", 6, 1) + Listed("乙", 6) +
                      Listed("寅", 6, 1) + Listed("重来", 7) + Listed("再来", 7) + Listed("点", 8) +
                      Listed("链", 9) + Listed("缺", 99),
                  NumberedParts());
  EXPECT_EQ(document.text,
            "一、甲\n丙. 子\n丁. 丑\n二、乙\n丙. 寅\n一、重来\n二、再来\n点\n第一章 链\n缺");
  EXPECT_EQ(document.blocks[1].kind, BlockKind::kListItem);
  EXPECT_EQ(document.blocks[1].level, 2);
}

TEST(Docx, PropertiesAreThoseOfTheFile) {
  ZipMembers members = WordMembers(Paragraph("文"));
  members.emplace_back(
      "docProps/core.xml",
      "<cp:coreProperties "
      "xmlns:cp=\"http://schemas.openxmlformats.org/package/2006/metadata/core-properties\" "
      "xmlns:dc=\"http://purl.org/dc/elements/1.1/\" xmlns:dcterms=\"http://purl.org/dc/terms/\">"
      "<dc:title>题目</dc:title><dc:creator>作者</dc:creator>"
      "<dcterms:modified>2024-05-02T00:00:00Z</dcterms:modified>"
      "<dcterms:created>2024-05-01T08:30:00Z</dcterms:created></cp:coreProperties>");
  const ExtractedDocument document = ExtractDocx(MakeZip(members)).value();
  EXPECT_EQ(document.title, "题目");
  EXPECT_EQ(document.author, "作者");
  EXPECT_EQ(document.date, "2024-05-01T08:30:00Z");
}

TEST(Docx, BothNamespacesAndAnyPrefixAreRead) {
  ZipMembers members = WordMembers("");
  members[2].second =
      "<d xmlns=\"http://purl.oclc.org/ooxml/wordprocessingml/main\"><body><p><r><t>文</t></r></p>"
      "</body></d>";
  EXPECT_EQ(ExtractDocx(MakeZip(members)).value().text, "文");
}

TEST(Docx, DamagedFilesSayWhatIsWrong) {
  const std::string word = MakeWord(Paragraph("文"));
  EXPECT_EQ(ExtractDocx(word.substr(0, word.size() / 2)).error().code, ErrorCode::kUnreadable);
  ZipMembers members = WordMembers(Paragraph("文"));
  members[2].second = "<w:document><w:body>";
  EXPECT_THAT(ExtractDocx(MakeZip(members)).error().message, HasSubstr("no well-formed XML"));
  members.erase(members.begin() + 2);
  EXPECT_THAT(ExtractDocx(MakeZip(members)).error().message,
              HasSubstr("word/document.xml is missing"));
}

}  // namespace
}  // namespace zhiwen
