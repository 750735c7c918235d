#include "terminal/figures.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "zhiwen/display.h"

namespace zhiwen {
namespace {

constexpr size_t kLeastCellColumns = 12;

// `text` as lines of at most `columns`, broken at spaces; a longer word is a line of its own.
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

std::string FormatCount(uint64_t count) {
  const std::string digits = fmt::format("{}", count);
  std::string out;
  for (size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) out += ',';
    out += digits[i];
  }
  return out;
}

std::string FormatBytes(uint64_t bytes) {
  static constexpr std::array<std::string_view, 5> kUnits = {"kB", "MB", "GB", "TB", "PB"};
  if (bytes < 1000) return fmt::format("{} B", bytes);
  double value = static_cast<double>(bytes) / 1000;
  size_t unit = 0;
  while (value >= 999.95 && unit + 1 < kUnits.size()) {
    value /= 1000;
    ++unit;
  }
  return fmt::format("{:.1f} {}", value, kUnits[unit]);
}

std::string FormatShare(uint64_t part, uint64_t whole) {
  if (whole == 0) return {};
  return fmt::format("{:.2f} %", 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

std::string FormatSeconds(double seconds) {
  if (seconds < 9.995) return fmt::format("{:.2f} s", seconds);
  if (seconds < 59.95) return fmt::format("{:.1f} s", seconds);
  const auto whole = static_cast<uint64_t>(std::llround(seconds));
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

std::string FormatSimilarity(double similarity) {
  if (similarity >= 1) return "1";
  // A float just below a figure (0.12) must not show one digit less.
  const double ten_thousandths = std::min(std::floor(similarity * 10000 + 1e-3), 9999.0);
  return fmt::format("{:.4f}", ten_thousandths / 10000);
}

std::string FormatPlural(uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", FormatCount(count), noun, count == 1 ? "" : "s");
}

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
    size_t before = 0;  // the last cell
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
