#include "document/office/cell_values.h"

#include <charconv>
#include <chrono>
#include <cmath>
#include <optional>

#include <fmt/format.h>

namespace zhiwen {
namespace {

constexpr size_t kExactDigits = 16;    // with the point
constexpr double kMostDays = 2958465;  // 9999-12-31
constexpr double kSecondsOfDay = 86400;

std::optional<double> ParseStored(std::string_view stored) {
  double number = 0;
  const auto [end, error] = std::from_chars(stored.data(), stored.data() + stored.size(), number);
  if (error != std::errc() || end != stored.data() + stored.size()) return std::nullopt;
  return number;
}

}  // namespace

NumberForm NumberFormOfCode(std::string_view code) {
  bool is_quoted = false;
  for (size_t i = 0; i < code.size() && code[i] != ';'; ++i) {
    const char c = code[i];
    if (c == '"') is_quoted = !is_quoted;
    if (is_quoted) continue;
    if (c == '\\' || c == '_' || c == '*') {
      ++i;
    } else if (c == '[') {
      const size_t end = code.find(']', i);
      // [h], [mm], [ss] are times that pass a day; others are colours, conditions and countries.
      const std::string_view inside =
          code.substr(i + 1, end == std::string_view::npos ? std::string_view::npos : end - i - 1);
      if (!inside.empty() && inside.find_first_not_of("hHmMsS") == std::string_view::npos) {
        return NumberForm::kDate;
      }
      if (end == std::string_view::npos) break;
      i = end;
    } else if (std::string_view("yYmMdDhHsS").find(c) != std::string_view::npos) {
      return NumberForm::kDate;
    }
  }
  return NumberForm::kNumber;
}

NumberForm NumberFormOfId(int64_t id) {
  const bool is_date = (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) ||
                       (id >= 50 && id <= 58);
  return is_date ? NumberForm::kDate : NumberForm::kNumber;
}

std::string ShowNumber(std::string_view stored) {
  if (stored.size() <= kExactDigits) return std::string(stored);
  const std::optional<double> number = ParseStored(stored);
  return number ? fmt::format("{:.15g}", *number) : std::string(stored);
}

std::string ShowDate(std::string_view stored, DateSystem system) {
  const std::optional<double> days = ParseStored(stored);
  if (!days || !(*days >= 0) || *days > kMostDays) return ShowNumber(stored);
  double whole = std::floor(*days);
  auto seconds = static_cast<int64_t>(std::llround((*days - whole) * kSecondsOfDay));
  if (seconds == static_cast<int64_t>(kSecondsOfDay)) {
    whole += 1;
    seconds = 0;
  }
  std::string time =
      fmt::format("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
  if (whole < 1) return time;
  // 1900 counts as a leap year there, and day 60 is its 29 February.
  auto day = static_cast<int64_t>(whole);
  if (system == DateSystem::k1900 && day < 60) ++day;
  const std::chrono::sys_days first = system == DateSystem::k1900
                                          ? std::chrono::sys_days(std::chrono::year(1899) / 12 / 30)
                                          : std::chrono::sys_days(std::chrono::year(1904) / 1 / 1);
  const std::chrono::year_month_day date(first + std::chrono::days(day));
  const std::string shown =
      fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                  static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
  return seconds == 0 ? shown : shown + " " + time;
}

}  // namespace zhiwen
