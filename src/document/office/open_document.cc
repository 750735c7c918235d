#include "document/office/open_document.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "document/office/left_out_elements.h"
#include "document/office/office_text.h"
#include "document/office/open_document_sheets.h"
#include "document/office/package_parts.h"
#include "document/office/xml_reader.h"
#include "document/office/xml_values.h"
#include "document/office/zip_archive.h"

namespace zhiwen {
namespace {

constexpr std::string_view kContent = "content.xml";
constexpr size_t kMostSpaces = 256;  // that one element stands for

constexpr std::array<std::string_view, 11> kNotText = {
    "text:tracked-changes", "office:annotation",     "office:forms", "text:ruby-text",
    "text:note-citation",   "office:scripts",        "svg:title",    "svg:desc",
    "office:binary-data",   "office:annotation-end", "form:form"};

// What holds paragraphs.
constexpr std::array<std::string_view, 7> kHolders = {
    "table:table-row", "table:table-cell", "text:p",        "text:h",
    "text:note-body",  "draw:text-box",    "text:list-item"};

// The places of headers and footers on a page of notes (presentation:class).
constexpr std::array<std::string_view, 4> kAroundNotesPage = {"header", "footer", "date-time",
                                                              "page-number"};

std::string JoinCell(const std::vector<OfficeBlock>& blocks) {
  std::string text;
  for (const OfficeBlock& block : blocks) {
    const std::string line = OnOneLine(block.text);
    if (!line.empty()) text.append(text.empty() ? "" : " ").append(line);
  }
  return text;
}

// Makes blocks of a text, or of the slides of a presentation.
class ParagraphVisitor final : public XmlVisitor {
 public:
  ParagraphVisitor() : left_out_(kNotText) { open_.emplace_back(); }

  void Begin(const XmlElement& element) override {
    const std::string_view name = element.name;
    if (left_out_.Begin(name)) return;
    if (name == "office:text" || name == "office:presentation") is_body_ = true;
    if (!is_body_) return;
    if (name == "text:list") ++lists_;
    if (IsShape(name)) place_ = element.Value("presentation:class");
    if (std::ranges::find(kHolders, name) != kHolders.end()) return BeginHolder(element);
    if (!is_in_paragraph()) return;
    std::string& text = open_.back().block.text;
    if (name == "text:s") {
      const auto count = ParseXmlNumber(element.Value("text:c")).value_or(1);
      text.append(std::min(kMostSpaces, static_cast<size_t>(std::max<int64_t>(count, 0))), ' ');
    }
    if (name == "text:tab") text += '\t';
    if (name == "text:line-break") text += '\n';
  }

  void Text(std::string_view text) override {
    if (left_out_.is_inside() || !is_in_paragraph()) return;
    std::string shown;
    AppendShownText(text, shown);
    AppendCollapsed(shown, open_.back().block.text);
  }

  void End(std::string_view name, uint64_t end) override {
    if (left_out_.End(name)) return;
    if (name == "office:text" || name == "office:presentation") is_body_ = false;
    if (!is_body_) return;
    if (name == "text:list") --lists_;
    if (IsShape(name)) place_.clear();
    if (name == "text:number" && is_in_paragraph()) open_.back().block.text += ' ';
    if (std::ranges::find(kHolders, name) != kHolders.end()) EndHolder(name, end);
  }

  bool is_full() const override { return paragraphs_ > kMostOfficeBlocks; }

  std::vector<OfficeBlock>& blocks() { return open_.front().blocks; }

 private:
  // An element that holds paragraphs, or is one, with what was found in it so far.
  struct Open {
    OfficeBlock block = {};
    std::vector<OfficeBlock> blocks = {};  // of a paragraph: those behind it
    std::vector<std::vector<OfficeBlock>> cells = {};
    bool is_paragraph = false, is_row = false;
  };

  static bool IsShape(std::string_view name) {
    return name == "draw:frame" || name == "draw:custom-shape";
  }

  bool is_in_paragraph() const { return open_.back().is_paragraph; }

  void BeginHolder(const XmlElement& element) {
    Open open;
    open.block.begin = element.begin;
    open.is_row = element.name == "table:table-row";
    open.is_paragraph = element.name == "text:p" || element.name == "text:h";
    if (element.name == "text:h") {
      const int64_t level = ParseXmlNumber(element.Value("text:outline-level")).value_or(1);
      open.block.kind = BlockKind::kHeading;
      open.block.level = static_cast<uint8_t>(std::clamp<int64_t>(level, 1, 9));
    } else if (place_ == "title") {
      open.block.kind = BlockKind::kHeading;
      open.block.level = 1;
    } else if (lists_ > 0) {
      open.block.kind = BlockKind::kListItem;
      open.block.level = static_cast<uint8_t>(std::min<size_t>(lists_, 9));
    }
    open_.push_back(std::move(open));
  }

  void EndHolder(std::string_view name, uint64_t end) {
    Open open = std::move(open_.back());
    open_.pop_back();
    Open& around = open_.back();
    open.block.end = end;
    paragraphs_ += open.is_paragraph ? 1 : 0;
    const bool is_around = std::ranges::find(kAroundNotesPage, place_) != kAroundNotesPage.end();
    if (open.is_paragraph && !is_around) around.blocks.push_back(std::move(open.block));
    if (open.is_row) EndRow(open, around);
    if (name == "table:table-cell" && around.is_row) {
      around.cells.push_back(std::move(open.blocks));
    } else {
      std::ranges::move(open.blocks, std::back_inserter(around.blocks));
    }
  }

  static void EndRow(Open& row, Open& around) {
    if (row.cells.size() == 1) {  // a frame around paragraphs
      std::ranges::move(row.cells.front(), std::back_inserter(around.blocks));
      return;
    }
    row.block.kind = BlockKind::kTableRow;
    row.block.level = 0;
    for (const std::vector<OfficeBlock>& cell : row.cells) {
      if (&cell != row.cells.data()) row.block.text += '\t';
      row.block.text += JoinCell(cell);
    }
    around.blocks.push_back(std::move(row.block));
  }

  LeftOutElements left_out_;
  std::vector<Open> open_;
  std::string place_;  // the placeholder of a slide that the shape fills: "title"
  size_t lists_ = 0, paragraphs_ = 0;
  bool is_body_ = false;
};

// Whether the manifest of a file says how its members are encrypted.
class ManifestVisitor final : public XmlVisitor {
 public:
  void Begin(const XmlElement& element) override {
    if (element.name == "manifest:encryption-data") is_encrypted_ = true;
  }
  void Text(std::string_view) override {}
  void End(std::string_view, uint64_t) override {}

  bool is_encrypted() const { return is_encrypted_; }

 private:
  bool is_encrypted_ = false;
};

Status CheckIsOpen(ZipArchive& archive) {
  constexpr std::string_view kManifest = "META-INF/manifest.xml";
  if (!archive.Has(kManifest)) return {};
  ZHIWEN_ASSIGN_OR_RETURN(const std::string xml, archive.Read(kManifest));
  ManifestVisitor manifest;
  ZHIWEN_RETURN_IF_ERROR(ReadXml(xml, kManifest, manifest));
  if (!manifest.is_encrypted()) return {};
  return Fail(ErrorCode::kUnreadable, "it is encrypted; save it without a password");
}

}  // namespace

Result<ExtractedDocument> ExtractOpenDocument(std::string_view bytes, DocumentType type) {
  ZHIWEN_ASSIGN_OR_RETURN(ZipArchive archive, ZipArchive::Open(bytes));
  ZHIWEN_RETURN_IF_ERROR(CheckIsOpen(archive));
  ExtractedDocument document;
  document.type = type;
  document.encoding = "utf-8";
  document.member = kContent;
  if (archive.Has("meta.xml")) {
    ZHIWEN_RETURN_IF_ERROR(ReadProperties(archive, "meta.xml", document));
  }
  ZHIWEN_ASSIGN_OR_RETURN(const std::string xml, archive.Read(kContent));
  if (type == DocumentType::kOds) {
    ZHIWEN_ASSIGN_OR_RETURN(const SheetRows sheets, ReadSheetRows(xml, kContent));
    ZHIWEN_RETURN_IF_ERROR(SetBlocks(sheets.rows, document));
    if (sheets.cut > 0) {
      document.notes.push_back(fmt::format(
          "{} a value that repeats more than {} times; the rest is left out",
          sheets.cut == 1 ? "1 cell or row has" : fmt::format("{} cells or rows have", sheets.cut),
          kMostRepeats));
    }
    return document;
  }
  ParagraphVisitor visitor;
  ZHIWEN_RETURN_IF_ERROR(ReadXml(xml, kContent, visitor));
  ZHIWEN_RETURN_IF_ERROR(SetBlocks(visitor.blocks(), document));
  return document;
}

}  // namespace zhiwen
