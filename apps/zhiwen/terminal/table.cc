#include "terminal/table.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "zhiwen/display.h"

namespace zhiwen {
namespace {

constexpr size_t kLeastCellColumns = 12;

// Breaks `text` at spaces into lines of at most `columns`. A longer word gets its own line.
std::vector<std::string> WrapWords(std::string_view text, size_t columns) {
  std::vector<std::string> lines(1);
  while (!text.empty()) {
    size_t end = std::min(text.find(' '), text.size());
    // A line is not broken between a number and its unit.
    if (end > 0 && text.find_first_not_of("0123456789,") == end) {
      const size_t both = std::min(text.find(' ', end + 1), text.size());
      if (DisplayWidth(text.substr(0, both)) <= columns) end = both;
    }
    const std::string_view word = text.substr(0, end);
    const size_t used = DisplayWidth(lines.back());
    if (used > 0 && used + 1 + DisplayWidth(word) > columns) lines.emplace_back();
    if (!lines.back().empty()) lines.back() += ' ';
    lines.back() += word;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

}  // namespace

std::string FormatTable(std::span<const std::vector<std::string>> rows, size_t columns) {
  std::vector<size_t> widths;
  for (const std::vector<std::string>& row : rows) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (size_t i = 0; i + 1 < row.size(); ++i) {
      widths[i] = std::max(widths[i], DisplayWidth(row[i]));
    }
  }
  std::string out;
  for (const std::vector<std::string>& row : rows) {
    size_t before = 0;  // start of the last cell
    for (size_t i = 0; i + 1 < row.size(); ++i) {
      out += FitToWidth(row[i], widths[i]) + "  ";
      before += widths[i] + 2;
    }
    const std::string_view last = row.empty() ? std::string_view() : std::string_view(row.back());
    const size_t room = std::max(columns, before + kLeastCellColumns) - before;
    if (DisplayWidth(last) <= room) {
      out += last;
    } else {
      out += fmt::format("{}", fmt::join(WrapWords(last, room), "\n" + std::string(before, ' ')));
    }
    while (out.ends_with(' ')) out.pop_back();
    out += '\n';
  }
  return out;
}

}  // namespace zhiwen
