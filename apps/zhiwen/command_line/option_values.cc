#include "command_line/option_values.h"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

#include "command_line/suggest.h"

namespace zhiwen {

Result<uint64_t> ParseCount(std::string_view text, const CountRange& range) {
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool number = error == std::errc() && end == text.data() + text.size();
  if (number && value >= range.least && value <= range.most) return value;
  const std::string limit =
      range.most == INT64_MAX ? "" : fmt::format(" and at most {}", range.most);
  return Fail(
      ErrorCode::kInvalidArgument,
      fmt::format("\"{}\" is not a whole number of at least {}{}", text, range.least, limit));
}

Result<double> ParseDecimal(std::string_view text) {
  double value = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  const bool digits = text.find_first_not_of("-.0123456789") == std::string_view::npos;
  if (error != std::errc() || end != text.data() + text.size() || !digits) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("\"{}\" is not a number such as 0.8", text));
  }
  return value;
}

Result<uint64_t> ParseBytes(std::string_view text) {
  constexpr std::string_view kUnits = "KMGT";
  const std::string_view typed = text;
  int shift = 0;
  if (text.ends_with("iB")) text.remove_suffix(2);
  if (!text.empty()) {
    const size_t unit = kUnits.find(static_cast<char>(text.back() & ~0x20));
    if (unit != std::string_view::npos) {
      shift = 10 * (static_cast<int>(unit) + 1);
      text.remove_suffix(1);
    }
  }
  const Result<uint64_t> count = ParseCount(text, {.least = 1, .most = uint64_t{1} << 22});
  if (shift == 0) return ParseCount(typed, {.least = 1});
  if (count) return *count << shift;
  return Fail(ErrorCode::kInvalidArgument,
              fmt::format("\"{}\" is not a size such as 8G or 512M", typed));
}

namespace {

// Returns 0.02 for "2%", or nothing where `text` is not a percentage from 0 to 100.
std::optional<double> ShareOfPercent(std::string_view text) {
  if (!text.ends_with('%')) return std::nullopt;
  const Result<double> percent = ParseDecimal(text.substr(0, text.size() - 1));
  return percent && *percent >= 0 && *percent <= 100 ? std::optional(*percent / 100) : std::nullopt;
}

// Without those at both ends.
std::string_view WithoutSpaces(std::string_view text) {
  constexpr std::string_view kSpaces = " \t";
  text.remove_prefix(std::min(text.find_first_not_of(kSpaces), text.size()));
  text.remove_suffix(text.size() - (text.find_last_not_of(kSpaces) + 1));
  return text;
}

}  // namespace

Result<FailureLimit> ParseFailureLimit(std::string_view text) {
  FailureLimit limit{.most_share = 1};
  if (const std::optional<double> share = ShareOfPercent(text)) {
    limit.count = 0;
    limit.share = *share;
    return limit;
  }
  if (const Result<uint64_t> count = ParseCount(text, {}); count) {
    limit.count = *count;
    limit.share = 0;
    return limit;
  }
  return Fail(
      ErrorCode::kInvalidArgument,
      fmt::format("\"{}\" is neither a number of records (50) nor a share of them (2%)", text));
}

Result<std::optional<double>> ParseShare(std::string_view text) {
  if (text == "none") return std::optional<double>();
  if (const std::optional<double> share = ShareOfPercent(text)) return share;
  if (ParseDecimal(text)) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("\"{}\" has no percent sign; write {}%", text, text));
  }
  return Fail(
      ErrorCode::kInvalidArgument,
      fmt::format("\"{}\" is neither none nor a share from 0% to 100%, such as 0.1%", text));
}

Result<uint64_t> ParseAudit(std::string_view text) {
  constexpr uint64_t kMost = 100000;
  if (text == "none") return 0;
  const Result<uint64_t> count = ParseCount(text, {.least = 1, .most = kMost});
  if (count) return *count;
  return Fail(ErrorCode::kInvalidArgument,
              fmt::format("\"{}\" is neither none nor a number from 1 to {}", text, kMost));
}

Result<uint64_t> ParseAge(std::string_view text) {
  struct Unit {
    char name;
    uint64_t seconds;
  };
  constexpr std::array<Unit, 4> kUnits = {{{'s', 1}, {'m', 60}, {'h', 3600}, {'d', 86400}}};
  constexpr uint64_t kMost = 1'000'000'000;
  const std::string_view age = WithoutSpaces(text);
  if (age.size() > 1) {
    const auto unit = std::ranges::find(kUnits, age.back(), &Unit::name);
    const Result<uint64_t> count =
        ParseCount(age.substr(0, age.size() - 1), {.least = 0, .most = kMost});
    if (unit != kUnits.end() && count) return *count * unit->seconds;
  }
  return Fail(ErrorCode::kInvalidArgument,
              fmt::format("\"{}\" is not an age, such as 7d; units are s, m, h, d", text));
}

Result<std::optional<DateLimit>> ParseDateLimit(std::string_view text) {
  const size_t comma = std::min(text.rfind(','), text.size());
  const std::string_view field = WithoutSpaces(text.substr(0, comma));
  const auto age = ParseAge(text.substr(std::min(comma + 1, text.size())));
  if (!field.empty() && age) return std::optional(DateLimit{std::string(field), *age});
  return Fail(
      ErrorCode::kInvalidArgument,
      fmt::format("\"{}\" is not a field and an age, such as date,7d; units are s, m, h, d", text));
}

Result<std::vector<std::string>> ParseNames(std::string_view text) {
  std::vector<std::string> names;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t comma = std::min(text.find(',', begin), text.size());
    const std::string_view name = WithoutSpaces(text.substr(begin, comma - begin));
    if (name.empty()) {
      return Fail(
          ErrorCode::kInvalidArgument,
          fmt::format("\"{}\" has an empty name; write names with commas between them", text));
    }
    if (std::ranges::find(names, name) != names.end()) {
      return Fail(ErrorCode::kInvalidArgument, fmt::format("\"{}\" is named twice", name));
    }
    names.emplace_back(name);
    begin = comma + 1;
  }
  return names;
}

std::string ListChoices(std::span<const std::string> names, std::string_view usual) {
  std::string out;
  for (const std::string& name : names) {
    out += fmt::format("{}{}{}", out.empty() ? "" : ", ", name, name == usual ? " (default)" : "");
  }
  return out;
}

tl::unexpected<Error> NotAChoice(std::string_view text, std::span<const std::string> names) {
  const std::optional<std::string> meant = SuggestName(text, names);
  return Fail(ErrorCode::kInvalidArgument,
              fmt::format("\"{}\" is none of {}{}", text, ListChoices(names, ""),
                          meant ? fmt::format("; did you mean {}?", *meant) : ""));
}

}  // namespace zhiwen
