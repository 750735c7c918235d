// Sheets, slides, OpenDocument, books and XML: what each makes of a small file.

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "document/office/office_type.h"
#include "document/office/xml_text.h"
#include "document/office/zip_archive.h"
#include "support/zip_builder.h"

namespace zhiwen {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::string kRelationshipSpace =
    "xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\"";
const std::string kSheetSpace =
    "xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\" " + kRelationshipSpace;
const std::string kSlideSpace =
    "xmlns:p=\"http://schemas.openxmlformats.org/presentationml/2006/main\" "
    "xmlns:a=\"http://schemas.openxmlformats.org/drawingml/2006/main\" " +
    kRelationshipSpace;

// What the sources of the blocks are in the members, one behind another.
std::vector<std::string> SourcesOf(const std::string& bytes, const ExtractedDocument& document) {
  ZipArchive archive = ZipArchive::Open(bytes).value();
  std::string members;
  for (size_t at = 0; at < document.member.size();) {
    const size_t end = std::min(document.member.find('\n', at), document.member.size());
    members += archive.Read(document.member.substr(at, end - at)).value();
    at = end + 1;
  }
  std::vector<std::string> sources;
  for (const ExtractedBlock& block : document.blocks) {
    sources.push_back(members.substr(block.source.begin.value, block.source.size()));
  }
  return sources;
}

std::string MakeWorkbook() {
  return MakeZip(
      {{"[Content_Types].xml", "<Types/>"},
       {"_rels/.rels", MakeRelationships({{"officeDocument", "xl/workbook.xml"}})},
       {"xl/_rels/workbook.xml.rels", MakeRelationships({{"worksheet", "worksheets/sheet1.xml"},
                                                         {"worksheet", "/xl/worksheets/sheet2.xml"},
                                                         {"sharedStrings", "sharedStrings.xml"},
                                                         {"styles", "styles.xml"}})},
       {"xl/workbook.xml", "<workbook " + kSheetSpace +
                               "><sheets><sheet name=\"乙\" r:id=\"rId2\"/>"
                               "<sheet name=\"甲\" r:id=\"rId1\"/></sheets></workbook>"},
       {"xl/styles.xml",
        "<styleSheet " + kSheetSpace +
            "><numFmts><numFmt numFmtId=\"166\" formatCode=\"yyyy\\-mm\\-dd\"/></numFmts>"
            "<cellStyleXfs><xf numFmtId=\"14\"/></cellStyleXfs>"
            "<cellXfs><xf numFmtId=\"0\"/><xf numFmtId=\"166\"/></cellXfs></styleSheet>"},
       {"xl/sharedStrings.xml", "<sst " + kSheetSpace +
                                    "><si><t>姓名</t></si><si><r><t>张</t></r><r><t>三</t></r>"
                                    "<rPh sb=\"0\" eb=\"1\"><t>zhāng</t></rPh></si></sst>"},
       {"xl/worksheets/sheet1.xml",
        "<worksheet " + kSheetSpace +
            "><sheetData><row r=\"1\"><c t=\"s\"><v>0</v></c><c t=\"s\"><v>1</v></c>"
            "<c s=\"1\"><v>45413</v></c></row><row r=\"2\"><c/></row></sheetData></worksheet>"},
       {"xl/worksheets/sheet2.xml",
        "<worksheet " + kSheetSpace +
            "><sheetData><row><c t=\"inlineStr\"><is><t>直接\n写</t></is></c><c "
            "t=\"b\"><v>1</v></c>"
            "<c t=\"str\"><f>A1</f><v>结果</v></c><c><v>0.10000000000000001</v></c>"
            "<c t=\"s\"><v>9</v></c></row></sheetData></worksheet>"}});
}

TEST(Xlsx, SheetsAreRowsInTheirOrder) {
  const std::string workbook = MakeWorkbook();
  const ExtractedDocument document = ExtractPackedDocument(workbook).value();
  EXPECT_EQ(document.type, DocumentType::kXlsx);
  EXPECT_EQ(document.text, "直接 写\tTRUE\t结果\t0.1\n姓名\t张三\t2024-05-01");
  EXPECT_EQ(document.member, "xl/worksheets/sheet2.xml\nxl/worksheets/sheet1.xml");
  EXPECT_EQ(document.blocks[1].kind, BlockKind::kTableRow);
  EXPECT_THAT(SourcesOf(workbook, document),
              ElementsAre(HasSubstr("直接"), ::testing::StartsWith("<row r=\"1\"><c t=\"s\">")));
}

std::string Shape(const std::string& place, const std::string& text) {
  const std::string type = place.empty() ? "" : "<p:ph type=\"" + place + "\"/>";
  return "<p:sp><p:nvSpPr><p:nvPr>" + type + "</p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>" +
         text + "</a:t></a:r></a:p></p:txBody></p:sp>";
}

TEST(Pptx, SlidesStandInTheOrderOfThePresentation) {
  const auto slide = [](const std::string& shapes) {
    return "<p:sld " + kSlideSpace + "><p:cSld><p:spTree>" + shapes +
           "</p:spTree></p:cSld></p:sld>";
  };
  const std::string table =
      "<p:graphicFrame><a:tbl><a:tr><a:tc><a:txBody><a:p><a:r><a:t>一</a:t></a:r></a:p><a:p><a:r>"
      "<a:t>二</a:t></a:r></a:p></a:txBody></a:tc><a:tc><a:txBody><a:p><a:r><a:t>三</a:t></a:r></"
      "a:p>"
      "</a:txBody></a:tc></a:tr></a:tbl></p:graphicFrame>";
  const std::string presentation = MakeZip(
      {{"[Content_Types].xml", "<Types/>"},
       {"_rels/.rels", MakeRelationships({{"officeDocument", "ppt/presentation.xml"}})},
       {"ppt/presentation.xml", "<p:presentation " + kSlideSpace +
                                    "><p:sldIdLst><p:sldId id=\"256\" r:id=\"rId2\"/>"
                                    "<p:sldId id=\"257\" r:id=\"rId1\"/></p:sldIdLst>"
                                    "</p:presentation>"},
       {"ppt/_rels/presentation.xml.rels",
        MakeRelationships({{"slide", "slides/slide1.xml"}, {"slide", "slides/slide2.xml"}})},
       {"ppt/slides/slide1.xml", slide(Shape("", "第二张") + table)},
       {"ppt/slides/slide2.xml", slide(Shape("title", "标题") + Shape("body", "要点"))},
       {"ppt/slides/_rels/slide2.xml.rels",
        MakeRelationships({{"notesSlide", "../notesSlides/notesSlide1.xml"}})},
       {"ppt/notesSlides/notesSlide1.xml", slide(Shape("", "备注"))}});
  const ExtractedDocument document = ExtractPackedDocument(presentation).value();
  EXPECT_EQ(document.type, DocumentType::kPptx);
  EXPECT_EQ(document.text, "标题\n要点\n备注\n第二张\n一 二\t三");
  EXPECT_EQ(document.blocks[0].kind, BlockKind::kHeading);
  EXPECT_EQ(document.blocks[1].kind, BlockKind::kListItem);
  EXPECT_EQ(document.blocks[4].kind, BlockKind::kTableRow);
  const std::vector<std::string> sources = SourcesOf(presentation, document);
  EXPECT_EQ(sources[2], "<a:p><a:r><a:t>备注</a:t></a:r></a:p>");
  EXPECT_EQ(sources[3], "<a:p><a:r><a:t>第二张</a:t></a:r></a:p>");
}

// A file of the kind "text", "spreadsheet" or "presentation".
std::string MakeOpenDocument(const std::string& kind, const std::string& body,
                             const ZipMembers& more = {}) {
  const std::string space = "=\"urn:oasis:names:tc:opendocument:xmlns:";
  ZipMembers members = {
      {"mimetype", "application/vnd.oasis.opendocument." + kind},
      {"content.xml", "<office:document-content xmlns:office" + space + "office:1.0\" xmlns:text" +
                          space + "text:1.0\" xmlns:table" + space + "table:1.0\" xmlns:draw" +
                          space + "drawing:1.0\" xmlns:svg" + space +
                          "svg-compatible:1.0\" xmlns:presentation" + space +
                          "presentation:1.0\"><office:body><office:" + kind + ">" + body +
                          "</office:" + kind + "></office:body></office:document-content>"}};
  members.insert(members.end(), more.begin(), more.end());
  return MakeZip(members);
}

std::string MakeOdt(const std::string& body, const ZipMembers& more = {}) {
  return MakeOpenDocument("text", body, more);
}

TEST(Odt, ParagraphsHeadingsListsAndRows) {
  const std::string bytes = MakeOdt(
      "<text:tracked-changes><text:p>删去</text:p></text:tracked-changes>"
      "<text:h text:outline-level=\"2\"><text:number>1.1</text:number>标题</text:h>"
      "<text:p>  正文<text:s text:c=\"2\"/>两\n 格<text:tab/>后<text:note><text:note-citation>1"
      "</text:note-citation><text:note-body><text:p>脚注</text:p></text:note-body></text:note>。"
      "<office:annotation><text:p>批注</text:p></office:annotation>"
      "<draw:frame><svg:title>图名</svg:title><draw:text-box><text:p>框</text:p></draw:text-box>"
      "</draw:frame></text:p>"
      "<text:list><text:list-item><text:p>项</text:p></text:list-item></text:list>"
      "<table:table><table:table-row><table:table-cell><text:p>甲</text:p></table:table-cell>"
      "<table:table-cell table:number-columns-repeated=\"1000000\"><text:p>乙</text:p>"
      "</table:table-cell></table:table-row></table:table>");
  const ExtractedDocument document = ExtractPackedDocument(bytes).value();
  EXPECT_EQ(document.type, DocumentType::kOdt);
  EXPECT_EQ(document.text, "1.1 标题\n正文  两 格\t后。\n脚注\n框\n项\n甲\t乙");
  EXPECT_EQ(document.blocks[0].level, 2);
  EXPECT_EQ(document.blocks[4].kind, BlockKind::kListItem);
  EXPECT_EQ(SourcesOf(bytes, document)[3], "<text:p>框</text:p>");
}

TEST(Odt, EncryptedFilesSaySo) {
  const std::string bytes =
      MakeOdt("", {{"META-INF/manifest.xml",
                    "<m:manifest xmlns:m=\"urn:oasis:names:tc:opendocument:xmlns:manifest:1.0\">"
                    "<m:file-entry><m:encryption-data/></m:file-entry></m:manifest>"}});
  EXPECT_THAT(ExtractPackedDocument(bytes).error().message, HasSubstr("encrypted"));
}

std::string Cell(const std::string& attributes, const std::string& text) {
  return "<table:table-cell " + attributes + "><text:p>" + text + "</text:p></table:table-cell>";
}

std::string Row(const std::string& attributes, const std::string& cells) {
  return "<table:table-row " + attributes + ">" + cells + "</table:table-row>";
}

TEST(Ods, RowsHaveTheValuesThatTheFileStores) {
  const std::string first = Row(
      "", Cell("office:value-type=\"string\"", "甲<text:line-break/>乙<text:s text:c=\"2\"/>丙") +
              "<table:table-cell table:number-columns-repeated=\"16384\"/>" +
              Cell("office:value-type=\"float\" office:value=\"0.30000000000000004\"", "0.3 元") +
              Cell("office:value-type=\"percentage\" office:value=\"0.5\"", "50%"));
  const std::string bytes = MakeOpenDocument(
      "spreadsheet",
      "<table:table>" + first +
          Row("",
              Cell("office:value-type=\"date\" office:date-value=\"2024-05-01T08:30:00\"", "五月") +
                  Cell("office:value-type=\"date\" office:date-value=\"2024-05-01\"", "一日") +
                  Cell("office:value-type=\"time\" office:time-value=\"PT08H30M05S\"", "早") +
                  Cell("office:value-type=\"boolean\" office:boolean-value=\"true\"", "真")) +
          Row("table:number-rows-repeated=\"1048576\"", "<table:table-cell/>") +
          "</table:table><table:table>" +
          Row("table:number-rows-repeated=\"2\"",
              Cell("table:number-columns-repeated=\"3\"", "三") +
                  "<table:covered-table-cell><text:p>盖住</text:p></table:covered-table-cell>") +
          "</table:table>");
  const ExtractedDocument document = ExtractDocument(bytes).value();
  EXPECT_EQ(document.type, DocumentType::kOds);
  EXPECT_EQ(document.text,
            "甲 乙  丙\t0.3\t0.5\n2024-05-01 08:30:00\t2024-05-01\t08:30:05\tTRUE\n"
            "三\t三\t三\n三\t三\t三");
  EXPECT_EQ(document.blocks[0].kind, BlockKind::kTableRow);
  EXPECT_EQ(SourcesOf(bytes, document)[0], first);
}

TEST(Ods, CommentsAndDrawingsAreNoValues) {
  const std::string bytes = MakeOpenDocument(
      "spreadsheet",
      "<table:table><table:shapes><draw:custom-shape><text:p>图</text:p></draw:custom-shape>"
      "</table:shapes>" +
          Row("",
              "<table:table-cell><office:annotation><text:p>批注</text:p></office:annotation>"
              "<text:p>甲</text:p><text:p>乙</text:p><draw:frame><draw:text-box><text:p>框"
              "</text:p></draw:text-box></draw:frame></table:table-cell>" +
                  Cell("", "丙")) +
          "</table:table>");
  EXPECT_EQ(ExtractPackedDocument(bytes)->text, "甲 乙\t丙");
}

TEST(Ods, RepetitionsAreBounded) {
  const std::string wide = Row("table:number-rows-repeated=\"1048576\"",
                               Cell("table:number-columns-repeated=\"16384\"", "x"));
  const ExtractedDocument document =
      ExtractPackedDocument(MakeOpenDocument("spreadsheet", wide)).value();
  EXPECT_EQ(document.blocks.size(), 1000U);
  EXPECT_EQ(document.blocks.front().text.size(), 1999U);
  EXPECT_THAT(document.notes, testing::ElementsAre(
                                  "2 cells or rows have a value that repeats more than 1000 times; "
                                  "the rest is left out"));
  const std::string bounded = Row("table:number-rows-repeated=\"1000\"", Cell("", "x")) +
                              Row("table:number-rows-repeated=\"1048576\"", "<table:table-cell/>");
  EXPECT_TRUE(ExtractPackedDocument(MakeOpenDocument("spreadsheet", bounded))->notes.empty());
  std::string many;
  for (int i = 0; i < 200; ++i)
    many += Row("table:number-rows-repeated=\"1000\"",
                Cell("table:number-columns-repeated=\"1000\"", "xx"));
  const auto too_much = ExtractPackedDocument(MakeOpenDocument("spreadsheet", many));
  EXPECT_EQ(too_much.error().code, ErrorCode::kExhausted);
  EXPECT_THAT(too_much.error().message, HasSubstr("content.xml has more paragraphs or rows"));
}

TEST(Odp, SlidesHaveTheirTitlesAndNotes) {
  const auto frame = [](const std::string& place, const std::string& content) {
    return "<draw:frame presentation:class=\"" + place + "\"><draw:text-box>" + content +
           "</draw:text-box></draw:frame>";
  };
  const std::string bytes = MakeOpenDocument(
      "presentation",
      "<presentation:footer-decl>页脚</presentation:footer-decl><draw:page>" +
          frame("title", "<text:p>标题</text:p>") +
          frame("outline",
                "<text:list><text:list-item><text:p>要点</text:p></text:list-item></text:list>") +
          "<draw:custom-shape><text:p>形状</text:p></draw:custom-shape><presentation:notes>" +
          frame("notes", "<text:p>备注</text:p>") +
          frame("page-number", "<text:p><text:page-number>1</text:page-number></text:p>") +
          "</presentation:notes></draw:page><draw:page><draw:frame><table:table>" +
          Row("", Cell("", "一") + Cell("", "二")) + "</table:table></draw:frame></draw:page>");
  const ExtractedDocument document = ExtractDocument(bytes).value();
  EXPECT_EQ(document.type, DocumentType::kOdp);
  EXPECT_EQ(document.text, "标题\n要点\n形状\n备注\n一\t二");
  EXPECT_EQ(document.blocks[0].kind, BlockKind::kHeading);
  EXPECT_EQ(document.blocks[0].level, 1);
  EXPECT_EQ(document.blocks[1].kind, BlockKind::kListItem);
  EXPECT_EQ(document.blocks[2].kind, BlockKind::kParagraph);
  EXPECT_EQ(document.blocks[4].kind, BlockKind::kTableRow);
}

TEST(Epub, PagesStandInTheOrderOfReading) {
  const auto page = [](const std::string& body) {
    return "<?xml version=\"1.0\"?><html xmlns=\"http://www.w3.org/1999/xhtml\"><head><title>书"
           "</title></head><body>" +
           body + "</body></html>";
  };
  const std::string bytes = MakeZip(
      {{"mimetype", "application/epub+zip"},
       {"META-INF/container.xml",
        "<container xmlns=\"urn:oasis:names:tc:opendocument:xmlns:container\"><rootfiles>"
        "<rootfile full-path=\"OPS/book.opf\"/></rootfiles></container>"},
       {"OPS/book.opf",
        "<package xmlns=\"http://www.idpf.org/2007/opf\" "
        "xmlns:dc=\"http://purl.org/dc/elements/1.1/\"><metadata><dc:title>书名</dc:title>"
        "<dc:creator>作者</dc:creator><dc:date>2009</dc:date><dc:language>zh</dc:language>"
        "</metadata><manifest>"
        "<item id=\"n\" href=\"nav.html\" media-type=\"application/xhtml+xml\" properties=\"nav\"/>"
        "<item id=\"a\" href=\"a%20b.html\" media-type=\"application/xhtml+xml\"/>"
        "<item id=\"b\" href=\"b.html\" media-type=\"application/xhtml+xml\"/></manifest>"
        "<spine><itemref idref=\"n\"/><itemref idref=\"b\"/><itemref idref=\"a\"/></spine>"
        "</package>"},
       {"OPS/nav.html", page("<p>目录</p>")},
       {"OPS/a b.html", page("<p>短。</p>")},
       {"OPS/b.html", page("<script src=\"a.js\"/><style/><h1>第一回</h1><p>话说。</p><title/>")}});
  const ExtractedDocument document = ExtractPackedDocument(bytes).value();
  EXPECT_EQ(document.type, DocumentType::kEpub);
  EXPECT_EQ(document.text, "第一回\n话说。\n短。");
  EXPECT_EQ(document.title, "书名");
  EXPECT_EQ(document.author, "作者");
  EXPECT_EQ(document.date, "2009");
  EXPECT_EQ(document.blocks[0].kind, BlockKind::kHeading);
  EXPECT_THAT(SourcesOf(bytes, document)[2], HasSubstr("短。"));
}

TEST(Xml, ElementsWithTextAreLines) {
  const std::string xml =
      "<?xml version=\"1.0\"?>\n<book><chapter><title>第一章</title><section><title>一节</title>\n"
      "<para>正文<emphasis>重点</emphasis>，<![CDATA[a<b]]> &#x4E00;\n  续行。</para>\n"
      "<para><b>注</b>：说明</para><!-- 注释 --><list><item>甲</item><item>乙</item></list>"
      "</section></chapter></book>";
  const ExtractedDocument document = ExtractXml(xml).value();
  EXPECT_EQ(document.text, "第一章\n一节\n正文重点，a<b 一 续行。\n注：说明\n甲\n乙");
  EXPECT_EQ(document.blocks[0].level, 2);
  EXPECT_EQ(document.blocks[1].level, 3);
  EXPECT_EQ(document.blocks[2].kind, BlockKind::kParagraph);
  const ByteSpan source = document.blocks[3].source;
  EXPECT_EQ(xml.substr(source.begin.value, source.size()), "<para><b>注</b>：说明</para>");
}

TEST(Xml, OtherEncodingsAreDecoded) {
  const std::string xml = "<?xml version=\"1.0\" encoding=\"GB18030\"?><a>\xD6\xD0\xCE\xC4</a>";
  const ExtractedDocument document = ExtractXml(xml).value();
  EXPECT_EQ(document.text, "中文");
  EXPECT_EQ(document.encoding, "gb18030");
  const ByteSpan source = document.blocks[0].source;
  EXPECT_EQ(xml.substr(source.begin.value, source.size()), "<a>\xD6\xD0\xCE\xC4</a>");
}

TEST(OfficeType, TypesAreFoundByMembers) {
  EXPECT_EQ(DetectOfficeType(MakeWord("").substr(0, 4096)), DocumentType::kDocx);
  EXPECT_EQ(DetectOfficeType(MakeWorkbook().substr(0, 4096)), DocumentType::kXlsx);
  EXPECT_EQ(DetectOfficeType(MakeOdt("").substr(0, 4096)), DocumentType::kOdt);
  EXPECT_EQ(DetectOfficeType(MakeOpenDocument("spreadsheet", "")), DocumentType::kOds);
  EXPECT_EQ(DetectOfficeType(MakeOpenDocument("presentation", "")), DocumentType::kOdp);
  EXPECT_EQ(DocumentTypeOfPath("a.otp"), DocumentType::kOdp);
  EXPECT_EQ(DetectOfficeType(MakeZip({{"a.txt", "word/"}})), std::nullopt);
  EXPECT_EQ(ExtractPackedDocument(MakeZip({{"a.txt", "x"}})).error().code,
            ErrorCode::kInvalidArgument);
  EXPECT_THAT(
      ExtractPackedDocument(MakeZip({{"mimetype", "application/vnd.oasis.opendocument.graphics"}}))
          .error()
          .message,
      HasSubstr("OpenDocument"));
  // What the name says does not count.
  const std::string word = MakeWord("<w:p><w:r><w:t>文</w:t></w:r></w:p>");
  EXPECT_EQ(ExtractDocument(word, {.type = DocumentType::kXlsx}).value().type, DocumentType::kDocx);
  EXPECT_EQ(ExtractDocument("<?xml version=\"1.0\"?><a>文</a>").value().type, DocumentType::kXml);
  EXPECT_EQ(ExtractDocument("<?xml version=\"1.0\"?><html><p>文<p>字</html>").value().type,
            DocumentType::kHtml);
}

}  // namespace
}  // namespace zhiwen
