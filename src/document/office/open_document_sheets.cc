#include "document/office/open_document_sheets.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "document/office/cell_values.h"
#include "document/office/left_out_elements.h"
#include "document/office/xml_reader.h"
#include "document/office/xml_values.h"
#include "document/office/zip_archive.h"

namespace zhiwen {
namespace {

constexpr size_t kMostSpacesOfCell = 256;  // that one element stands for

constexpr std::array<std::string_view, 5> kNoCells = {
    "table:tracked-changes", "table:content-validations", "office:annotation", "office:forms",
    "text:ruby-text"};

int64_t RepeatsOf(const XmlElement& element, std::string_view attribute) {
  return std::max<int64_t>(ParseXmlNumber(element.Value(attribute)).value_or(1), 1);
}

// "PT08H30M00S" as "08:30:00".
std::string ShowTime(std::string_view duration) {
  std::string time(duration.substr(duration.starts_with("PT") ? 2 : 0));
  if (time.ends_with('S')) time.pop_back();
  std::ranges::replace_if(
      time, [](char c) { return c == 'H' || c == 'M'; }, ':');
  return time;
}

// The value that a cell has beside its text; empty for texts.
std::string ValueOf(const XmlElement& cell) {
  const std::string_view kind = cell.Value("office:value-type");
  if (kind == "date") {
    std::string date(cell.Value("office:date-value"));
    std::ranges::replace(date, 'T', ' ');
    return date;
  }
  if (kind == "time") return ShowTime(cell.Value("office:time-value"));
  if (kind == "boolean") return cell.Value("office:boolean-value") == "true" ? "TRUE" : "FALSE";
  const std::string_view number = cell.Value("office:value");
  return kind == "string" || number.empty() ? std::string() : ShowNumber(number);
}

class SheetRowVisitor final : public XmlVisitor {
 public:
  SheetRowVisitor() : left_out_(kNoCells) {}

  void Begin(const XmlElement& element) override {
    const std::string_view name = element.name;
    if (left_out_.Begin(name)) return;
    if (name == "table:table-row") {
      row_ = {.kind = BlockKind::kTableRow, .begin = element.begin};
      row_repeats_ = RepeatsOf(element, "table:number-rows-repeated");
    }
    if (name == "table:table-cell") {
      is_cell_ = true;
      text_.clear();
      value_ = ValueOf(element);
      cell_repeats_ = RepeatsOf(element, "table:number-columns-repeated");
    }
    if (name.starts_with("draw:")) ++drawings_;
    if (drawings_ > 0 || !is_cell_) return;
    if (name == "text:p") {
      is_paragraph_ = true;
      if (!text_.empty()) text_ += '\n';
    }
    if (name == "text:tab") text_ += ' ';
    if (name == "text:line-break") text_ += '\n';
    if (name == "text:s") {
      const auto count = ParseXmlNumber(element.Value("text:c")).value_or(1);
      text_.append(std::min(kMostSpacesOfCell, static_cast<size_t>(std::max<int64_t>(count, 0))),
                   ' ');
    }
  }

  void Text(std::string_view text) override {
    if (left_out_.is_inside() || drawings_ > 0 || !is_paragraph_) return;
    std::string shown;
    AppendShownText(text, shown);
    AppendCollapsed(shown, text_);
  }

  void End(std::string_view name, uint64_t end) override {
    if (left_out_.End(name)) return;
    if (name.starts_with("draw:")) --drawings_;
    if (drawings_ > 0) return;
    if (name == "text:p") is_paragraph_ = false;
    if (name == "table:table-cell") EndCell();
    if (name == "table:table-row") EndRow(end);
  }

  bool is_full() const override {
    return rows_.size() > kMostOfficeBlocks || text_bytes_ > kMostUnpackedBytes;
  }

  SheetRows Take() { return {std::move(rows_), cut_}; }

 private:
  // Returns how often something with a value is there that repeats so often.
  int64_t Bounded(int64_t repeats) {
    if (repeats > kMostRepeats) ++cut_;
    return std::min(repeats, kMostRepeats);
  }

  void EndCell() {
    is_cell_ = false;
    const std::string shown = OnOneLine(value_.empty() ? text_ : value_);
    if (shown.empty()) return;
    const int64_t repeats = Bounded(cell_repeats_);
    for (int64_t i = 0; i < repeats && !is_full(); ++i) {
      if (!row_.text.empty()) row_.text += '\t';
      row_.text += shown;
      text_bytes_ += shown.size() + 1;
    }
  }

  void EndRow(uint64_t end) {
    if (row_.text.empty()) return;
    row_.end = end;
    const int64_t repeats = Bounded(row_repeats_);
    for (int64_t i = 1; i < repeats && !is_full(); ++i) {
      rows_.push_back(row_);
      text_bytes_ += row_.text.size();
    }
    rows_.push_back(std::exchange(row_, {}));
  }

  LeftOutElements left_out_;
  OfficeBlock row_;
  std::vector<OfficeBlock> rows_;
  std::string text_, value_;  // of the cell
  int64_t row_repeats_ = 1, cell_repeats_ = 1;
  uint64_t text_bytes_ = 0, cut_ = 0;
  size_t drawings_ = 0;  // that are open
  bool is_cell_ = false, is_paragraph_ = false;
};

}  // namespace

Result<SheetRows> ReadSheetRows(std::string_view xml, std::string_view what) {
  SheetRowVisitor visitor;
  ZHIWEN_RETURN_IF_ERROR(ReadXml(xml, what, visitor));
  return visitor.Take();
}

}  // namespace zhiwen
