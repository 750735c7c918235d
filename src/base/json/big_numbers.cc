#include "base/json/big_numbers.h"

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <system_error>

namespace zhiwen {
namespace {

constexpr std::string_view kNumberBytes = "+-.0123456789Ee";

size_t CountDigits(std::string_view text) {
  const size_t end = text.find_first_not_of("0123456789");
  return end == std::string_view::npos ? text.size() : end;
}

// Matches -?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?
bool IsJsonNumber(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  const size_t integer = CountDigits(text);
  if (integer == 0 || (integer > 1 && text.front() == '0')) return false;
  text.remove_prefix(integer);
  if (text.starts_with('.')) {
    const size_t fraction = CountDigits(text.substr(1));
    if (fraction == 0) return false;
    text.remove_prefix(1 + fraction);
  }
  if (text.empty()) return true;
  if (text.front() != 'e' && text.front() != 'E') return false;
  text.remove_prefix(1);
  if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
  return !text.empty() && CountDigits(text) == text.size();
}

template <typename Number>
bool Fits(std::string_view text) {
  Number value{};
  return std::from_chars(text.data(), text.data() + text.size(), value).ec == std::errc();
}

bool IsBig(std::string_view number) {
  if (number.find_first_of(".eE") == std::string_view::npos) {
    return !Fits<int64_t>(number) && !Fits<uint64_t>(number);
  }
  // A number that is too small is accepted, since it reads as zero.
  return !Fits<double>(number) && number.find("e-") == std::string_view::npos &&
         number.find("E-") == std::string_view::npos;
}

// Returns the byte after the string that starts at `begin`, or the end.
size_t EndOfString(std::string_view json, size_t begin) {
  for (size_t i = begin + 1; i < json.size(); ++i) {
    if (json[i] == '\\') {
      ++i;
    } else if (json[i] == '"') {
      return i + 1;
    }
  }
  return json.size();
}

// Quoting a number before a colon would make it a key, and invalid JSON valid.
bool IsBeforeColon(std::string_view json, size_t at) {
  const size_t next = json.find_first_not_of(" \t\r\n", at);
  return next != std::string_view::npos && json[next] == ':';
}

}  // namespace

std::optional<std::string> QuoteBigNumbers(std::string_view json, std::string_view marker) {
  std::string out;
  bool found = false;
  for (size_t at = 0; at < json.size();) {
    size_t end = at + 1;
    if (json[at] == '"') {
      end = EndOfString(json, at);
    } else if (kNumberBytes.find(json[at]) != std::string_view::npos) {
      end = std::min(json.find_first_not_of(kNumberBytes, at), json.size());
    }
    const std::string_view token = json.substr(at, end - at);
    if (IsJsonNumber(token) && IsBig(token) && !IsBeforeColon(json, end)) {
      found = true;
      out.append(1, '"').append(marker).append(token).append(1, '"');
    } else {
      out.append(token);
    }
    at = end;
  }
  if (!found) return std::nullopt;
  return out;
}

double BigNumberValue(std::string_view digits) {
  double value = 0;
  if (std::from_chars(digits.data(), digits.data() + digits.size(), value).ec == std::errc()) {
    return value;
  }
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  return digits.starts_with('-') ? -kInfinity : kInfinity;
}

}  // namespace zhiwen
