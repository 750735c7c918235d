#include "document/office/xlsx.h"

#include <map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "document/office/cell_values.h"
#include "document/office/office_text.h"
#include "document/office/package_parts.h"
#include "document/office/xml_reader.h"
#include "document/office/xml_values.h"
#include "document/office/zip_archive.h"

namespace zhiwen {
namespace {

// What cells refer to.
struct Workbook {
  std::vector<std::string> strings;
  std::vector<NumberForm> forms;    // by the style of a cell
  std::vector<std::string> sheets;  // ids of relationships, in their order
  DateSystem dates = DateSystem::k1900;
};

class WorkbookVisitor final : public XmlVisitor {
 public:
  explicit WorkbookVisitor(Workbook& workbook) : workbook_(workbook) {}

  void Begin(const XmlElement& element) override {
    if (element.name == "s:sheet") workbook_.sheets.emplace_back(element.Value("r:id"));
    if (element.name != "s:workbookPr") return;
    const auto is_1904 = element.Find("date1904");
    if (is_1904 && IsOn(is_1904)) workbook_.dates = DateSystem::k1904;
  }
  void Text(std::string_view) override {}
  void End(std::string_view, uint64_t) override {}

 private:
  Workbook& workbook_;
};

class CellStylesVisitor final : public XmlVisitor {
 public:
  explicit CellStylesVisitor(Workbook& workbook) : workbook_(workbook) {}

  void Begin(const XmlElement& element) override {
    const auto id = [&] { return ParseXmlNumber(element.Value("numFmtId")).value_or(0); };
    if (element.name == "s:cellXfs") is_in_cells_ = true;
    if (element.name == "s:numFmt") codes_[id()] = NumberFormOfCode(element.Value("formatCode"));
    if (element.name != "s:xf" || !is_in_cells_) return;
    const auto code = codes_.find(id());
    workbook_.forms.push_back(code == codes_.end() ? NumberFormOfId(id()) : code->second);
  }
  void Text(std::string_view) override {}
  void End(std::string_view name, uint64_t) override {
    if (name == "s:cellXfs") is_in_cells_ = false;
  }

 private:
  Workbook& workbook_;
  std::map<int64_t, NumberForm> codes_;
  bool is_in_cells_ = false;
};

class SharedStringsVisitor final : public XmlVisitor {
 public:
  explicit SharedStringsVisitor(Workbook& workbook) : workbook_(workbook) {}

  void Begin(const XmlElement& element) override {
    if (element.name == "s:si") workbook_.strings.emplace_back();
    if (element.name == "s:rPh") is_reading_ = true;
    if (element.name == "s:t") is_text_ = !is_reading_ && !workbook_.strings.empty();
  }
  void Text(std::string_view text) override {
    if (is_text_) AppendShownText(text, workbook_.strings.back());
  }
  void End(std::string_view name, uint64_t) override {
    if (name == "s:rPh") is_reading_ = false;
    if (name == "s:t") is_text_ = false;
  }

 private:
  Workbook& workbook_;
  bool is_reading_ = false, is_text_ = false;
};

// Makes rows of a sheet.
class SheetVisitor final : public XmlVisitor {
 public:
  SheetVisitor(const Workbook& workbook, uint64_t& text_bytes)
      : workbook_(workbook), text_bytes_(text_bytes) {}

  void Begin(const XmlElement& element) override {
    const std::string_view name = element.name;
    if (name == "s:row") row_ = {.kind = BlockKind::kTableRow, .begin = element.begin};
    if (name == "s:c") {
      kind_ = element.Value("t");
      style_ = ParseXmlNumber(element.Value("s")).value_or(0);
      value_.clear();
    }
    if (name == "s:rPh") is_reading_ = true;
    if (name == "s:v" || (name == "s:t" && !is_reading_)) is_value_ = true;
  }

  void Text(std::string_view text) override {
    if (is_value_) AppendShownText(text, value_);
  }

  void End(std::string_view name, uint64_t end) override {
    if (name == "s:v" || name == "s:t") is_value_ = false;
    if (name == "s:rPh") is_reading_ = false;
    if (name == "s:c") EndCell();
    if (name != "s:row" || row_.text.empty()) return;
    row_.end = end;
    rows_.push_back(std::exchange(row_, {}));
  }

  bool is_full() const override { return rows_.size() > kMostOfficeBlocks; }

  std::vector<OfficeBlock>& rows() { return rows_; }

 private:
  void EndCell() {
    // One long string may stand in many cells: what is too much is not gathered first.
    if (text_bytes_ > kMostUnpackedBytes) return;
    const std::string shown = OnOneLine(ShowCell());
    text_bytes_ += shown.size() + 1;
    if (shown.empty()) return;
    if (!row_.text.empty()) row_.text += '\t';
    row_.text += shown;
  }

  std::string ShowCell() const {
    if (kind_ == "s") {
      const std::optional<int64_t> index = ParseXmlNumber(value_);
      const bool is_known =
          index && *index >= 0 && static_cast<size_t>(*index) < workbook_.strings.size();
      return is_known ? workbook_.strings[static_cast<size_t>(*index)] : std::string();
    }
    if (kind_ == "b") return value_ == "1" ? "TRUE" : "FALSE";
    if (!kind_.empty() && kind_ != "n") return value_;
    const bool has_form =
        style_ >= 0 && static_cast<size_t>(style_) < workbook_.forms.size() && !value_.empty();
    const bool is_date =
        has_form && workbook_.forms[static_cast<size_t>(style_)] == NumberForm::kDate;
    return is_date ? ShowDate(value_, workbook_.dates) : ShowNumber(value_);
  }

  const Workbook& workbook_;
  uint64_t& text_bytes_;  // of all sheets
  OfficeBlock row_;
  std::vector<OfficeBlock> rows_;
  std::string kind_, value_;
  int64_t style_ = 0;
  bool is_value_ = false, is_reading_ = false;
};

// Reads the part of a kind that the workbook names, if it does.
Status ReadPart(ZipArchive& archive, const Relationships& relationships, std::string_view kind,
                XmlVisitor& visitor) {
  const std::string path = TargetOfKind(relationships, kind, {});
  if (path.empty() || !archive.Has(path)) return {};
  ZHIWEN_ASSIGN_OR_RETURN(const std::string xml, archive.Read(path));
  return ReadXml(xml, path, visitor);
}

Result<Workbook> ReadWorkbook(ZipArchive& archive, const std::string& path,
                              const Relationships& relationships) {
  Workbook workbook;
  ZHIWEN_ASSIGN_OR_RETURN(const std::string xml, archive.Read(path));
  WorkbookVisitor visitor(workbook);
  ZHIWEN_RETURN_IF_ERROR(ReadXml(xml, path, visitor));
  CellStylesVisitor styles(workbook);
  ZHIWEN_RETURN_IF_ERROR(ReadPart(archive, relationships, "styles", styles));
  SharedStringsVisitor strings(workbook);
  ZHIWEN_RETURN_IF_ERROR(ReadPart(archive, relationships, "sharedStrings", strings));
  return workbook;
}

}  // namespace

Result<ExtractedDocument> ExtractXlsx(std::string_view bytes) {
  ZHIWEN_ASSIGN_OR_RETURN(ZipArchive archive, ZipArchive::Open(bytes));
  ZHIWEN_ASSIGN_OR_RETURN(const Relationships of_file, ReadRelationships(archive, {}));
  ExtractedDocument document;
  document.type = DocumentType::kXlsx;
  document.encoding = "utf-8";
  ZHIWEN_RETURN_IF_ERROR(ReadCoreProperties(archive, of_file, document));
  const std::string path = TargetOfKind(of_file, "officeDocument", "xl/workbook.xml");
  ZHIWEN_ASSIGN_OR_RETURN(const Relationships relationships, ReadRelationships(archive, path));
  ZHIWEN_ASSIGN_OR_RETURN(const Workbook workbook, ReadWorkbook(archive, path, relationships));
  MemberBlocks members;
  uint64_t text_bytes = 0;
  for (const std::string& id : workbook.sheets) {
    const auto sheet = relationships.find(id);
    const bool has_cells = sheet != relationships.end() && sheet->second.kind == "worksheet";
    if (!has_cells || sheet->second.target.empty()) continue;
    ZHIWEN_ASSIGN_OR_RETURN(const std::string xml, archive.Read(sheet->second.target));
    SheetVisitor visitor(workbook, text_bytes);
    ZHIWEN_RETURN_IF_ERROR(ReadXml(xml, sheet->second.target, visitor));
    members.Add(sheet->second.target, xml.size(), std::move(visitor.rows()));
    if (text_bytes > kMostUnpackedBytes) {
      return Fail(ErrorCode::kExhausted,
                  fmt::format("a workbook with a text of more than {} MiB is not read",
                              kMostUnpackedBytes >> 20));
    }
  }
  ZHIWEN_RETURN_IF_ERROR(members.Finish(document));
  return document;
}

}  // namespace zhiwen
