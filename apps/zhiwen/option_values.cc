#include "option_values.h"

#include <charconv>

#include <fmt/format.h>

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

Result<FailureLimit> ParseFailureLimit(std::string_view text) {
  FailureLimit limit;
  if (text.ends_with('%')) {
    const Result<double> percent = ParseDecimal(text.substr(0, text.size() - 1));
    if (percent && *percent >= 0 && *percent <= 100) {
      limit.count = 0;
      limit.share = *percent / 100;
      return limit;
    }
  } else if (const Result<uint64_t> count = ParseCount(text, {}); count) {
    limit.count = *count;
    limit.share = 0;
    return limit;
  }
  return Fail(
      ErrorCode::kInvalidArgument,
      fmt::format("\"{}\" is neither a number of records (50) nor a share of them (2%)", text));
}

Result<std::vector<std::string>> ParseNames(std::string_view text) {
  std::vector<std::string> names;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t comma = std::min(text.find(',', begin), text.size());
    const std::string_view name = text.substr(begin, comma - begin);
    if (name.empty()) {
      return Fail(
          ErrorCode::kInvalidArgument,
          fmt::format("\"{}\" has an empty name; write names with commas between them", text));
    }
    names.emplace_back(name);
    begin = comma + 1;
  }
  return names;
}

}  // namespace zhiwen
