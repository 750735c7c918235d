#include "document/tree/paragraph_marks.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "base/utf8/utf8.h"
#include "document/html/block_statistics.h"
#include "document/html/page_facts.h"
#include "document/tree/numbering.h"

namespace zhiwen {
namespace {

constexpr uint32_t kHeadingLevels = 9;
constexpr uint8_t kUnsaidSize = 16;  // of letters, in browsers, where a page says none

// From the lowest weight to the highest.
constexpr uint32_t kShortWeight = 1;
constexpr uint32_t kColorWeight = 2;
constexpr uint32_t kFontWeight = 3;
constexpr uint32_t kSizeWeight = 4;  // and the size, at most 255
constexpr uint32_t kStrongWeight = kSizeWeight + 256;
constexpr uint32_t kHeadingWeight = kStrongWeight + 1;  // of a heading without level
constexpr uint32_t kNumberWeight = kHeadingWeight + kHeadingLevels + 1;  // of the lowest form

constexpr std::array<std::string_view, kHeadingLevels + 1> kHeadingMarks = {
    "heading", "h1", "h2", "h3", "h4", "h5", "h6", "h7", "h8", "h9"};

std::string_view TextOf(std::string_view text, const ExtractedBlock& block) {
  return text.substr(block.text.begin.value, block.text.size());
}

// --- numbering -----------------------------------------------------------------------------------

using Numberings = std::vector<std::optional<Numbering>>;

// Which forms of numbers are headings: see MarkClass::kNumbering.
std::array<bool, kNumberForms> FindNumberForms(const Numberings& numberings) {
  std::array<bool, kNumberForms> is_used = {};
  std::array<const Numbering*, kNumberForms> last = {};
  for (const std::optional<Numbering>& numbering : numberings) {
    if (!numbering) continue;
    const auto form = static_cast<size_t>(numbering->form);
    const bool follows = last[form] != nullptr && IsNextNumber(*last[form], *numbering);
    is_used[form] = is_used[form] || numbering->is_heading || follows;
    last[form] = &*numbering;
  }
  return is_used;
}

std::vector<ParagraphMark> MarkNumbers(std::string_view text,
                                       std::span<const ExtractedBlock> blocks) {
  Numberings numberings;
  numberings.reserve(blocks.size());
  for (const ExtractedBlock& block : blocks) {
    numberings.push_back(ReadNumbering(TextOf(text, block)));
  }
  const std::array<bool, kNumberForms> is_used = FindNumberForms(numberings);
  std::vector<ParagraphMark> marks(blocks.size());
  for (size_t i = 0; i < marks.size(); ++i) {
    if (!numberings[i]) continue;
    const auto form = static_cast<uint32_t>(numberings[i]->form);
    if (!is_used[form]) continue;
    marks[i] = {.weight = kNumberWeight + static_cast<uint32_t>(kNumberForms) - 1 - form,
                .name = NumberFormName(numberings[i]->form)};
  }
  return marks;
}

// --- tags ----------------------------------------------------------------------------------------

// The value that the most bytes of the text have.
template <typename Value>
uint32_t UsualOf(std::span<const ExtractedBlock> blocks, const Value& value) {
  std::map<uint32_t, uint64_t> bytes;
  for (const ExtractedBlock& block : blocks) bytes[value(block.style)] += block.text.size();
  const auto usual = std::ranges::max_element(bytes, {}, [](const auto& of) { return of.second; });
  return usual == bytes.end() ? 0 : usual->first;
}

BlockStyle UsualStyle(std::span<const ExtractedBlock> blocks) {
  BlockStyle usual;
  usual.is_strong = UsualOf(blocks, [](const BlockStyle& s) { return s.is_strong; }) != 0;
  usual.size = static_cast<uint8_t>(UsualOf(blocks, [](const BlockStyle& s) { return s.size; }));
  usual.font = static_cast<uint16_t>(UsualOf(blocks, [](const BlockStyle& s) { return s.font; }));
  usual.color = static_cast<uint16_t>(UsualOf(blocks, [](const BlockStyle& s) { return s.color; }));
  return usual;
}

ParagraphMark TagMark(const ExtractedBlock& block, const BlockStyle& usual) {
  if (block.kind == BlockKind::kHeading) {
    const uint32_t level = block.level <= kHeadingLevels ? block.level : kHeadingLevels;
    const uint32_t above_lowest = level == 0 ? 0 : kHeadingLevels + 1 - level;
    return {.weight = kHeadingWeight + above_lowest, .name = kHeadingMarks[level]};
  }
  if (block.kind == BlockKind::kTableRow || block.kind == BlockKind::kCode) return {};
  const BlockStyle& style = block.style;
  if (style.is_strong && !usual.is_strong) return {.weight = kStrongWeight, .name = "strong"};
  if (style.size > (usual.size == 0 ? kUnsaidSize : usual.size)) {
    return {.weight = kSizeWeight + style.size, .name = "size"};
  }
  if (style.font != 0 && style.font != usual.font) return {.weight = kFontWeight, .name = "font"};
  if (style.color != 0 && style.color != usual.color) {
    return {.weight = kColorWeight, .name = "color"};
  }
  return {};
}

std::vector<ParagraphMark> MarkTags(std::span<const ExtractedBlock> blocks) {
  const BlockStyle usual = UsualStyle(blocks);
  std::vector<ParagraphMark> marks;
  marks.reserve(blocks.size());
  for (const ExtractedBlock& block : blocks) marks.push_back(TagMark(block, usual));
  return marks;
}

// --- short paragraphs ----------------------------------------------------------------------------

constexpr std::u32string_view kClosing = U"”’」』）)]】》\"'";
constexpr std::u32string_view kEndMarks = U"。！？；，、…—.!?;,｡．";

// Whether a sentence or a clause ends at the end of a line, behind quotes and brackets that close.
bool HasEndMark(std::string_view line) {
  char32_t last = 0;
  VisitCodePoints(line, [&](const DecodedCodePoint& decoded, size_t) {
    const auto c = static_cast<char32_t>(decoded.code_point);
    if (kClosing.find(c) == std::u32string_view::npos) last = c;
  });
  return kEndMarks.find(last) != std::u32string_view::npos;
}

bool IsShortParagraph(std::string_view line) {
  constexpr size_t kMostBytesOfUnit = 64;
  if (line.size() > kShortParagraphUnits * kMostBytesOfUnit || HasEndMark(line)) return false;
  const uint32_t units = CountBlock(line).tokens;
  return units > 0 && units <= kShortParagraphUnits;
}

std::vector<ParagraphMark> MarkShort(std::string_view text,
                                     std::span<const ExtractedBlock> blocks) {
  std::vector<ParagraphMark> marks;
  marks.reserve(blocks.size());
  for (const ExtractedBlock& block : blocks) {
    const bool is_short =
        block.kind == BlockKind::kParagraph && IsShortParagraph(TextOf(text, block));
    marks.push_back(is_short ? ParagraphMark{.weight = kShortWeight, .name = "short"}
                             : ParagraphMark());
  }
  return marks;
}

bool HasMark(const std::vector<ParagraphMark>& marks) {
  return std::ranges::any_of(marks, [](const ParagraphMark& m) { return m.weight > kTextWeight; });
}

// --- bylines -------------------------------------------------------------------------------------

constexpr uint32_t kBylineUnits = 40;
constexpr auto kBylineLabels = std::to_array<std::string_view>(
    {"来源", "來源", "作者", "编辑", "編輯", "责编", "責編", "记者", "記者", "编译", "校对", "供稿",
     "发布时间", "发表时间", "更新时间"});

bool HasBylineLabel(std::string_view line) {
  return std::ranges::any_of(kBylineLabels, [&](std::string_view label) {
    const size_t at = line.find(label);
    if (at == std::string_view::npos) return false;
    const std::string_view rest = line.substr(at + label.size());
    return rest.starts_with("：") || rest.starts_with(':');
  });
}

}  // namespace

bool IsByline(std::string_view line) {
  constexpr size_t kMostBytesOfUnit = 16;
  if (line.size() > kBylineUnits * kMostBytesOfUnit || HasEndMark(line)) return false;
  const uint32_t units = CountBlock(line).tokens;
  if (units > kBylineUnits) return false;
  return HasBylineLabel(line) || (units <= kShortParagraphUnits && !FindDate(line).empty());
}

ParagraphMarks ChooseMarks(std::string_view text, std::span<const ExtractedBlock> blocks) {
  ParagraphMarks chosen{.marks = MarkClass::kNumbering, .of_blocks = MarkNumbers(text, blocks)};
  if (HasMark(chosen.of_blocks)) return chosen;
  chosen = {.marks = MarkClass::kTags, .of_blocks = MarkTags(blocks)};
  if (HasMark(chosen.of_blocks)) return chosen;
  chosen = {.marks = MarkClass::kShortParagraphs, .of_blocks = MarkShort(text, blocks)};
  if (!HasMark(chosen.of_blocks)) chosen.marks = MarkClass::kNone;
  return chosen;
}

}  // namespace zhiwen
