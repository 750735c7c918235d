#include "document/office/docx_body.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "base/utf8/utf8.h"
#include "document/office/xml_values.h"

namespace zhiwen {
namespace {

// What is left out with all that is in it: text that was deleted or moved away, how things looked
// before a change, readings above characters.
constexpr std::array<std::string_view, 11> kLeftOut = {
    "w:del",         "w:moveFrom",      "w:pPrChange",  "w:rPrChange",  "w:sectPrChange",   "w:rt",
    "w:tblPrChange", "w:tblGridChange", "w:tcPrChange", "w:trPrChange", "w:numberingChange"};

// Elements that show other parts.
constexpr std::array<std::string_view, 4> kReferences = {
    "w:footnoteReference", "w:endnoteReference", "w:headerReference", "w:footerReference"};

constexpr uint32_t kPrivateUse = 0xE000, kPrivateUseEnd = 0xF900;

bool IsOneOf(std::string_view name, std::span<const std::string_view> names) {
  return std::ranges::find(names, name) != names.end();
}

// The character of a w:sym; nothing where only its font knows what it shows.
std::optional<uint32_t> SymbolOf(std::string_view hex) {
  uint32_t code_point = 0;
  const auto [end, error] = std::from_chars(hex.data(), hex.data() + hex.size(), code_point, 16);
  const bool is_whole = error == std::errc() && end == hex.data() + hex.size();
  const bool is_surrogate = (code_point & 0xFFFFF800) == 0xD800;
  if (!is_whole || code_point < 0x20 || code_point >= 0x10000 || is_surrogate ||
      (code_point >= kPrivateUse && code_point < kPrivateUseEnd)) {
    return std::nullopt;
  }
  return code_point;
}

std::string JoinTexts(const std::vector<OfficeBlock>& blocks, char between) {
  std::string text;
  for (const OfficeBlock& block : blocks) {
    if (block.text.empty()) continue;
    if (!text.empty()) text += between;
    text += block.text;
  }
  return text;
}

}  // namespace

DocxBodyVisitor::DocxBodyVisitor(DocxParts& parts) : parts_(parts), left_out_(kLeftOut) {
  open_.emplace_back();
}

void DocxBodyVisitor::Begin(const XmlElement& element) {
  NoteDeletion(element.name);
  if (left_out_.Begin(element.name) || BeginStructure(element)) return;
  if (is_in_properties_) {
    BeginProperty(element);
  } else {
    BeginInText(element);
  }
  if (IsOneOf(element.name, kReferences)) BeginReference(element);
}

// A deletion is a property of the end of a paragraph, or of a row.
void DocxBodyVisitor::NoteDeletion(std::string_view name) {
  if (name != "w:del" || left_out_.is_inside()) return;
  if (is_in_properties_ || top().kind == Kind::kRow) top().is_deleted = true;
}

// Opens what holds blocks.
bool DocxBodyVisitor::BeginStructure(const XmlElement& element) {
  const std::string_view name = element.name;
  Open open{.begin = element.begin};
  if (name == "w:p" || name == "a:p") {
    open.kind = Kind::kParagraph;
    is_in_properties_ = false;
  } else if (name == "w:tr") {
    open.kind = Kind::kRow;
  } else if (name == "w:tc") {
    open.kind = Kind::kCell;
  } else if (name == "w:footnote" || name == "w:endnote") {
    open.note = element.Value("w:id");
  } else if (name != "w:txbxContent") {
    return false;
  }
  open_.push_back(std::move(open));
  return true;
}

void DocxBodyVisitor::BeginProperty(const XmlElement& element) {
  const std::string_view value = element.Value("w:val");
  if (element.name == "w:pStyle") top().style = value;
  if (element.name == "w:numId") top().place.list = ParseXmlNumber(value);
  if (element.name == "w:ilvl") top().place.level = ParseXmlNumber(value);
  if (element.name == "w:outlineLvl") top().outline = ParseXmlNumber(value);
}

void DocxBodyVisitor::BeginInText(const XmlElement& element) {
  const std::string_view name = element.name;
  if (name == "w:pPr") is_in_properties_ = top().kind == Kind::kParagraph;
  if (name == "w:r") is_hidden_ = false;
  if (name == "w:vanish") is_hidden_ = IsOn(element.Find("w:val"));
  if (name == "w:t" || name == "a:t" || name == "m:t") is_text_ = true;
  if (name == "w:br" || name == "w:cr" || name == "a:br") AppendText("\n");
  if (name == "w:tab" || name == "w:ptab") AppendText("\t");
  if (name == "w:noBreakHyphen") AppendText("-");
  if (name == "w:sym") {
    std::string symbol;
    if (const auto shown = SymbolOf(element.Value("w:char"))) AppendUtf8(*shown, symbol);
    AppendText(symbol);
  }
  if (name == "w:fldChar") BeginField(element.Value("w:fldCharType"));
  if (name == "w:commentReference") has_comments_ = true;
  if (name == "w:altChunk") has_embedded_ = true;
}

void DocxBodyVisitor::BeginField(std::string_view kind) {
  if (kind == "begin") {
    fields_.push_back(true);
    ++codes_;
    return;
  }
  if (fields_.empty() || (kind != "separate" && kind != "end")) return;
  if (fields_.back()) --codes_;
  fields_.back() = false;
  if (kind == "end") fields_.pop_back();
}

void DocxBodyVisitor::BeginReference(const XmlElement& element) {
  const std::string_view id = element.Find("r:id").value_or(element.Value("w:id"));
  const auto found = parts_.texts.find(fmt::format("{} {}", element.name, id));
  if (found == parts_.texts.end()) return;
  reference_ = OfficeBlock{.begin = element.begin, .text = std::move(found->second)};
  parts_.texts.erase(found);
}

void DocxBodyVisitor::AppendText(std::string_view text) {
  if (top().kind != Kind::kParagraph || codes_ > 0) return;
  if (is_hidden_) {
    has_hidden_ = has_hidden_ || !text.empty();
    return;
  }
  top().text += text;
}

void DocxBodyVisitor::Text(std::string_view text) {
  if (left_out_.is_inside() || !is_text_) return;
  std::string shown;
  AppendShownText(text, shown);
  AppendText(shown);
}

void DocxBodyVisitor::End(std::string_view name, uint64_t end) {
  if (left_out_.End(name)) return;
  if (name == "w:t" || name == "a:t" || name == "m:t") is_text_ = false;
  if (name == "w:pPr") is_in_properties_ = false;
  if (name == "w:r") is_hidden_ = false;
  if (reference_ && IsOneOf(name, kReferences)) {
    reference_->end = end;
    top().blocks.push_back(*std::exchange(reference_, std::nullopt));
  }
  const bool is_paragraph = name == "w:p" || name == "a:p";
  const bool is_note = name == "w:footnote" || name == "w:endnote";
  if (!is_paragraph && !is_note && name != "w:tr" && name != "w:tc" && name != "w:txbxContent") {
    return;
  }
  Open open = std::move(open_.back());
  open_.pop_back();
  if (is_paragraph) {
    EndParagraph(std::move(open), end);
  } else if (is_note) {
    EndNote(open);
  } else if (open.kind == Kind::kRow) {
    EndRow(std::move(open), end);
  } else if (open.kind == Kind::kCell && top().kind == Kind::kRow) {
    top().cells.push_back(std::move(open.blocks));
  } else {
    std::ranges::move(open.blocks, std::back_inserter(top().blocks));
  }
}

void DocxBodyVisitor::EndParagraph(Open paragraph, uint64_t end) {
  // The code of a field is on one line; a field that never ends must not hide what follows.
  if (codes_ > 0) fields_.clear();
  codes_ = 0;
  ++paragraphs_;
  OfficeBlock block = MakeParagraph(paragraph);
  block.end = end;
  if (carried_) {
    block.text.insert(0, carried_->text);
    block.begin = carried_->begin;
    carried_.reset();
  }
  const bool joins_next = paragraph.is_deleted && top().kind == Kind::kContainer;
  if (joins_next) {
    carried_ = std::move(block);
  } else {
    top().blocks.push_back(std::move(block));
  }
  std::ranges::move(paragraph.blocks, std::back_inserter(top().blocks));
}

OfficeBlock DocxBodyVisitor::MakeParagraph(const Open& paragraph) {
  OfficeBlock block{.begin = paragraph.begin};
  const DocxStyle style = parts_.styles.Find(paragraph.style);
  const int64_t outline = paragraph.outline.value_or(int64_t{style.heading.value_or(0)} - 1);
  const int64_t list = paragraph.place.list.value_or(style.place.list.value_or(0));
  if (outline >= 0 && outline < 9) {
    block.kind = BlockKind::kHeading;
    block.level = static_cast<uint8_t>(outline + 1);
  }
  if (list != 0) {
    const int64_t level = paragraph.place.level.value_or(
        style.place.level.value_or(parts_.numbering.LevelOfStyle(list, paragraph.style)));
    if (block.kind == BlockKind::kParagraph) {
      block.kind = BlockKind::kListItem;
      block.level = static_cast<uint8_t>(std::clamp<int64_t>(level, 0, kListLevels - 1) + 1);
    }
    block.text = parts_.numbering.NextNumber(list, level);
  }
  // A number without a text is shown, but says nothing.
  block.text = paragraph.text.empty() ? std::string() : block.text + paragraph.text;
  return block;
}

void DocxBodyVisitor::EndRow(Open row, uint64_t end) {
  if (row.is_deleted) return;
  if (row.cells.size() == 1) {  // a frame around paragraphs
    std::ranges::move(row.cells.front(), std::back_inserter(top().blocks));
  } else {
    OfficeBlock block{.kind = BlockKind::kTableRow, .begin = row.begin, .end = end};
    for (const std::vector<OfficeBlock>& cell : row.cells) {
      if (&cell != row.cells.data()) block.text += '\t';
      block.text += OnOneLine(JoinTexts(cell, ' '));
    }
    top().blocks.push_back(std::move(block));
  }
  std::ranges::move(row.blocks, std::back_inserter(top().blocks));
}

std::vector<OfficeBlock> DocxBodyVisitor::TakeBlocks() {
  std::vector<OfficeBlock> blocks = std::move(open_.front().blocks);
  if (carried_) blocks.push_back(*std::exchange(carried_, std::nullopt));
  return blocks;
}

void DocxBodyVisitor::EndNote(const Open& note) {
  notes_[note.note] = JoinTexts(note.blocks, '\n');
}

}  // namespace zhiwen
