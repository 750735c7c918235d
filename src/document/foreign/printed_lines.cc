#include "document/foreign/printed_lines.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>

#include "base/utf8/ascii.h"
#include "base/utf8/utf8.h"

namespace zhiwen {
namespace {

// In columns of a terminal: a Han character is two.
constexpr size_t kLeastParagraphWidth = 24;  // narrower groups are cells and lists
constexpr size_t kMostLinesOfGroup = 100'000;
constexpr uint32_t kFirstWide = 0x2E80;
constexpr std::string_view kLeaders = "....";  // of tables of contents

constexpr std::string_view kPrintedBlanks = " \t";

struct PrintedLine {
  std::string_view text;
  size_t width = 0;
};

size_t WidthOf(std::string_view line) {
  size_t width = 0;
  VisitCodePoints(line, [&](DecodedCodePoint decoded, size_t) {
    width += decoded.code_point >= kFirstWide ? 2 : 1;
  });
  return width;
}

// "1." "1、" "(1)" "第" and marks such as bullets.
bool BeginsAnItem(std::string_view line) {
  constexpr std::array<std::string_view, 12> kMarks = {"•", "·", "●",  "○",  "■",  "□",
                                                       "◆", "–", "（", "第", "* ", "- "};
  if (std::ranges::any_of(kMarks, [&](auto mark) { return line.starts_with(mark); })) return true;
  if (line.starts_with('(')) line.remove_prefix(1);
  const size_t digits = line.find_first_not_of("0123456789");
  if (digits == 0 || digits == std::string_view::npos || digits > 3) return false;
  line.remove_prefix(digits);
  constexpr std::array<std::string_view, 4> kBehindNumbers = {". ", ")", "、", "．"};
  return std::ranges::any_of(kBehindNumbers, [&](auto mark) { return line.starts_with(mark); });
}

bool GoesOn(const PrintedLine& line, const PrintedLine& next, size_t widest) {
  return widest >= kLeastParagraphWidth && line.width * 5 >= widest * 4 &&
         line.text.find(kLeaders) == std::string_view::npos && !BeginsAnItem(next.text);
}

// Words of letters have a space between them, Han characters have none.
bool NeedsSpace(std::string_view before, std::string_view after) {
  size_t last = before.size() - 1;
  while (last > 0 && IsContinuation(static_cast<uint8_t>(before[last]))) --last;
  return DecodeAt(before, last).code_point < kFirstWide &&
         DecodeAt(after, 0).code_point < kFirstWide;
}

void AppendLine(std::string_view line, std::string& paragraph) {
  if (!paragraph.empty() && NeedsSpace(paragraph, line)) paragraph += ' ';
  paragraph += line;
}

void AddGroup(std::span<const PrintedLine> lines, std::vector<OfficeBlock>& out) {
  size_t widest = 0;
  for (const PrintedLine& line : lines) widest = std::max(widest, line.width);
  for (size_t i = 0; i < lines.size(); ++i) {
    if (i == 0 || !GoesOn(lines[i - 1], lines[i], widest)) {
      out.emplace_back();
    }
    AppendLine(lines[i].text, out.back().text);
  }
}

}  // namespace

std::vector<OfficeBlock> ParagraphsOfPrintedLines(std::string_view text) {
  std::vector<OfficeBlock> paragraphs;
  std::vector<PrintedLine> group;
  while (!text.empty() && paragraphs.size() <= kMostOfficeBlocks) {  // SetBlocks refuses more
    const size_t end = std::min(text.find_first_of("\n\f"), text.size());
    std::string_view line = text.substr(0, end);
    const bool is_page_end = end < text.size() && text[end] == '\f';
    text.remove_prefix(std::min(end + 1, text.size()));
    line = Trim(line, kPrintedBlanks);
    if (!line.empty()) group.push_back({line, WidthOf(line)});
    if (!line.empty() && !is_page_end && group.size() < kMostLinesOfGroup) continue;
    AddGroup(group, paragraphs);
    group.clear();
  }
  AddGroup(group, paragraphs);
  return paragraphs;
}

OfficeBlock HeadingOfPrintedLines(std::string_view text, uint8_t level) {
  OfficeBlock heading = {.kind = BlockKind::kHeading, .level = level};
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = Trim(text.substr(0, end), kPrintedBlanks);
    if (!line.empty()) AppendLine(line, heading.text);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return heading;
}

}  // namespace zhiwen
