#include "zhiwen/figures.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace zhiwen {

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

}  // namespace zhiwen
