#ifndef ZHIWEN_BASE_UTF8_ASCII_H_
#define ZHIWEN_BASE_UTF8_ASCII_H_

// Letters of ASCII in any case, and blanks at the ends of a text. Other bytes stay what they are,
// so that UTF-8 passes unchanged.

#include <algorithm>
#include <string>
#include <string_view>

namespace zhiwen {

constexpr bool IsAsciiDigit(char c) { return c >= '0' && c <= '9'; }

constexpr char LowerAscii(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

inline std::string LowerAsciiOf(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = LowerAscii(c);
  return lower;
}

// Returns whether two texts are equal but for the case of letters.
inline bool EqualsInAnyCase(std::string_view left, std::string_view right) {
  return std::ranges::equal(left, right,
                            [](char a, char b) { return LowerAscii(a) == LowerAscii(b); });
}

inline bool StartsInAnyCase(std::string_view text, std::string_view start) {
  return EqualsInAnyCase(text.substr(0, start.size()), start);
}

inline bool EndsInAnyCase(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && EqualsInAnyCase(text.substr(text.size() - end.size()), end);
}

// Blanks of ASCII inside of a line.
inline constexpr std::string_view kLineBlanks = " \t\r\v\f";

// Returns `text` without the characters of `blanks` at its ends.
constexpr std::string_view Trim(std::string_view text, std::string_view blanks) {
  const size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) + 1 - begin);
}

}  // namespace zhiwen

#endif  // ZHIWEN_BASE_UTF8_ASCII_H_
