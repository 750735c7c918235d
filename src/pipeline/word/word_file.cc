#include "pipeline/word/word_file.h"

#include <array>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "base/compress/stored_zip.h"
#include "pipeline/run_report/page_files.h"

namespace zhiwen {
namespace {

constexpr int kTextWidth = 9638;  // of A4 between margins of 2 cm, in 1/20 point

constexpr std::string_view kTextBegin = R"(<w:t xml:space="preserve">)", kTextEnd = "</w:t>";

// Appends the text of HTML as that of a run.
void AppendText(std::string& out, std::string_view html) {
  constexpr std::string_view kName = "<span class=\"c\">", kBlank = "&nbsp;";
  constexpr std::string_view kReturn = "<span class=\"c\">CR</span>\n";  // a line of Windows
  bool is_name = false;                                                  // of a control character
  out += kTextBegin;
  for (size_t at = 0; at < html.size();) {
    const std::string_view rest = html.substr(at);
    size_t size = 1;
    if (rest.starts_with(kReturn)) {
      size = kReturn.size() - 1;
    } else if (rest.front() == '<') {
      size = rest.find('>') + 1;
      if (rest.starts_with(kName)) out += '[';
      if (is_name) out += ']';
      is_name = rest.starts_with(kName);
    } else if (rest.starts_with(kBlank)) {
      size = kBlank.size();
      out += "\u00A0";
    } else if (rest.front() == '\n' || rest.front() == '\t') {
      out += kTextEnd;
      out += rest.front() == '\n' ? "<w:br/>" : "<w:tab/>";
      out += kTextBegin;
    } else {
      out += rest.front();
    }
    at += size;
  }
  out += kTextEnd;
}

std::string_view PropertiesOf(WordInk ink) {
  switch (ink) {
    case WordInk::kText:
      return "";
    case WordInk::kSame:
      return R"(<w:rPr><w:color w:val="FF0000"/></w:rPr>)";
    case WordInk::kDisguised:
      return R"(<w:rPr><w:color w:val="FF0000"/><w:u w:val="single"/></w:rPr>)";
  }
  return "";
}

// By it files are known: other programs write other types, and compress them.
constexpr std::string_view kTypesPath = "[Content_Types].xml";

}  // namespace

std::string WordRun(std::string_view html, WordInk ink) {
  std::string out = "<w:r>";
  out += PropertiesOf(ink);
  AppendText(out, html);
  return out + "</w:r>";
}

std::string WordRun(const Words& words, std::string_view between) {
  if (words.en == words.zh) return WordRun(words.zh);
  return WordRun(words.zh + std::string(between) + words.en);
}

std::string WordParagraph(std::string_view style, std::string_view runs) {
  return fmt::format(R"(<w:p><w:pPr><w:pStyle w:val="{}"/></w:pPr>{}</w:p>)", style, runs) + "\n";
}

WordTable::WordTable(std::vector<int> percents) : widths_(std::move(percents)) {
  out_ = R"(<w:tbl><w:tblPr><w:tblW w:w="9638" w:type="dxa"/><w:tblBorders>)";
  for (const std::string_view side : {"top", "left", "bottom", "right", "insideH", "insideV"}) {
    out_ += fmt::format(R"(<w:{} w:val="single" w:sz="4" w:space="0" w:color="808080"/>)", side);
  }
  out_ += R"(</w:tblBorders><w:tblLayout w:type="fixed"/>)"
          R"(<w:tblCellMar><w:top w:w="40" w:type="dxa"/><w:left w:w="100" w:type="dxa"/>)"
          R"(<w:bottom w:w="40" w:type="dxa"/><w:right w:w="100" w:type="dxa"/></w:tblCellMar>)"
          R"(</w:tblPr><w:tblGrid>)";
  for (int& width : widths_) {
    width = kTextWidth * width / 100;
    out_ += fmt::format(R"(<w:gridCol w:w="{}"/>)", width);
  }
  out_ += "</w:tblGrid>\n";
}

void WordTable::Add(std::string_view row, std::string_view style,
                    std::initializer_list<std::string> cells) {
  out_ += fmt::format("<w:tr>{}", row);
  size_t column = 0;
  for (const std::string& cell : cells) {
    out_ +=
        fmt::format(R"(<w:tc><w:tcPr><w:tcW w:w="{}" w:type="dxa"/></w:tcPr>)", widths_[column++]);
    out_ += WordParagraph(style, cell) + "</w:tc>";
  }
  out_ += "</w:tr>\n";
}

void WordTable::AddHead(std::initializer_list<std::string> cells) {
  Add("<w:trPr><w:tblHeader/></w:trPr>", "RowHeading", cells);
}

void WordTable::AddRow(std::initializer_list<std::string> cells) { Add("", "Normal", cells); }

void WordTable::AddHeading(std::string_view runs) {
  out_ += fmt::format(
      R"(<w:tr><w:trPr><w:cantSplit/></w:trPr><w:tc><w:tcPr><w:tcW w:w="{}" w:type="dxa"/>)"
      R"(<w:gridSpan w:val="{}"/><w:shd w:val="clear" w:color="auto" w:fill="EEEEEE"/></w:tcPr>)",
      kTextWidth, widths_.size());
  out_ += WordParagraph("RowHeading", runs) + "</w:tc></w:tr>\n";
}

// Without a paragraph between them, programs take two tables for one.
std::string WordTable::Take() { return std::move(out_) + "</w:tbl>\n" + WordParagraph("Note", ""); }

Result<std::string> PackWordFile(std::string_view body) {
  constexpr std::string_view kPlace = "{{body}}";
  std::string document(kWordDocumentXml);
  document.replace(document.find(kPlace), kPlace.size(), body);
  return WriteStoredZip(std::to_array<StoredMember>(
      {{.path = kTypesPath, .bytes = kWordTypesXml},
       {.path = "_rels/.rels", .bytes = kWordPackageLinksXml},
       {.path = "word/document.xml", .bytes = document},
       {.path = "word/_rels/document.xml.rels", .bytes = kWordDocumentLinksXml},
       {.path = "word/styles.xml", .bytes = kWordStylesXml},
       {.path = "word/footer.xml", .bytes = kWordFooterXml}}));
}

OutputFileKind WordFileKind() {
  const StoredMember member = {.path = kTypesPath, .bytes = kWordTypesXml};
  std::string beginning = WriteStoredZip(std::span(&member, 1)).value();
  beginning.resize(beginning.find(kWordTypesXml) + kWordTypesXml.size());
  return KindThatBeginsWith("Word", std::move(beginning));
}

}  // namespace zhiwen
