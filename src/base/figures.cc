#include "zhiwen/figures.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace zhiwen {
namespace {

// Returns a share below 1 in ten thousandths, rounded down.
double TenThousandths(double share) {
  // A float just below a figure (0.12) must not show one digit less.
  return std::min(std::floor(std::max(share, 0.0) * 10000 + 1e-3), 9999.0);
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

std::string FormatPlural(uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", FormatCount(count), noun, count == 1 ? "" : "s");
}

std::string FormatBytes(uint64_t bytes) {
  static constexpr std::array<std::string_view, 6> kUnits = {"kB", "MB", "GB", "TB", "PB", "EB"};
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
  if (whole == 0) return "–";
  const double share = static_cast<double>(part) / static_cast<double>(whole);
  return part > 0 && share < 5e-5 ? "< 0.01 %" : FormatPercent(share);
}

std::string FormatPercent(double share) { return fmt::format("{:.2f} %", 100 * share); }

std::string FormatEstimate(double value) {
  if (value > 0 && value < 0.001) return "< 0.001";
  if (value < 99.5) return fmt::format("{:.2g}", value);
  return FormatCount(static_cast<uint64_t>(std::llround(std::min(value, 1e18))));
}

std::string FormatSeconds(double seconds) {
  if (!std::isfinite(seconds) || seconds < 0) return "–";
  if (seconds > 0 && seconds < 5e-5) return "< 0.1 ms";
  if (seconds < 0.9995) return fmt::format("{:.{}f} ms", seconds * 1000, seconds < 0.00995 ? 1 : 0);
  if (seconds < 59.95) return fmt::format("{:.{}f} s", seconds, seconds < 9.995 ? 2 : 1);
  const auto whole = static_cast<uint64_t>(std::llround(std::min(seconds, 1e15)));
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", FormatCount(whole / 3600), whole % 3600 / 60);
}

std::string FormatSimilarity(double similarity) {
  if (similarity >= 1) return "1";
  return fmt::format("{:.4f}", TenThousandths(similarity) / 10000);
}

std::string FormatContainment(double containment) {
  if (containment >= 1) return "100 %";
  return fmt::format("{:.2f} %", TenThousandths(containment) / 100);
}

std::string FormatExtracted(double share) { return fmt::format("{:.3g} %", 100 * share); }

}  // namespace zhiwen
