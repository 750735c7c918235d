#include "document/html/letter_style.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "base/utf8/ascii.h"

namespace zhiwen {
namespace {

constexpr std::string_view kStyleBlanks = " \t\n\r\f";
constexpr uint32_t kUsualPixels = 16;
constexpr int kUsualFontSize = 3;  // of <font size>

constexpr std::array<std::pair<std::string_view, uint8_t>, 7> kSizeWords = {{
    {"xx-small", 9},
    {"x-small", 10},
    {"small", 13},
    {"medium", 16},
    {"large", 18},
    {"x-large", 24},
    {"xx-large", 32},
}};
constexpr std::array<uint8_t, 8> kPixelsOfFontSize = {0, 10, 13, 16, 18, 24, 32, 48};

// A hash of a name, in any case, without white space and quotes; never 0.
uint16_t HashStyleName(std::string_view name) {
  uint32_t hash = 0x811C9DC5U;
  for (const char c : name) {
    if (kStyleBlanks.find(c) != std::string_view::npos || c == '"' || c == '\'') continue;
    hash = (hash ^ static_cast<uint8_t>(LowerAscii(c))) * 0x01000193U;
  }
  return static_cast<uint16_t>(std::max((hash >> 16) ^ (hash & 0xFFFF), uint32_t{1}));
}

// Reads digits, of which at most four count; in hundredths, so that 1.25 is 125.
std::optional<uint32_t> ReadHundredths(std::string_view& text) {
  uint32_t number = 0;
  size_t at = 0, digits = 0, decimals = 0;
  bool has_point = false;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '.' && !has_point) {
      has_point = true;
    } else if (c >= '0' && c <= '9') {
      if (has_point ? decimals == 2 : digits == 4) continue;
      number = number * 10 + static_cast<uint32_t>(c - '0');
      ++(has_point ? decimals : digits);
    } else {
      break;
    }
  }
  if (digits + decimals == 0) return std::nullopt;
  for (; decimals < 2; ++decimals) number *= 10;
  text.remove_prefix(at);
  return number;
}

// "14px", "12pt", "1.5em", "120%", "large". Nothing where the value says no size.
std::optional<uint8_t> ReadSize(std::string_view value) {
  for (const auto& [word, pixels] : kSizeWords) {
    if (EqualsInAnyCase(value, word)) return pixels;
  }
  const std::optional<uint32_t> hundredths = ReadHundredths(value);
  if (!hundredths) return std::nullopt;
  const std::string_view unit = Trim(value, kStyleBlanks).substr(0, 3);
  uint32_t pixels = *hundredths / 100;
  if (EqualsInAnyCase(unit, "pt")) pixels = *hundredths * 4 / 300;
  if (EqualsInAnyCase(unit, "em") || EqualsInAnyCase(unit, "rem")) {
    pixels = *hundredths * kUsualPixels / 100;
  }
  if (unit == "%") pixels = *hundredths * kUsualPixels / 10000;
  return static_cast<uint8_t>(std::min<uint32_t>(pixels, UINT8_MAX));
}

// "5", "+1", "-2" of <font size>.
std::optional<uint8_t> ReadFontSize(std::string_view value) {
  value = Trim(value, kStyleBlanks);
  const char sign = value.empty() ? '\0' : value.front();
  if (sign == '+' || sign == '-') value.remove_prefix(1);
  if (value.empty() || value.front() < '0' || value.front() > '9') return std::nullopt;
  int size = value.front() - '0';
  if (sign == '+') size = kUsualFontSize + size;
  if (sign == '-') size = kUsualFontSize - size;
  return kPixelsOfFontSize[static_cast<size_t>(std::clamp(size, 1, 7))];
}

std::optional<bool> ReadWeight(std::string_view value) {
  if (EqualsInAnyCase(value, "bold") || EqualsInAnyCase(value, "bolder")) return true;
  if (EqualsInAnyCase(value, "normal") || EqualsInAnyCase(value, "lighter")) return false;
  const std::optional<uint32_t> weight = ReadHundredths(value);
  if (!weight) return std::nullopt;
  return *weight >= 600 * 100;
}

void ReadDeclaration(std::string_view declaration, BlockStyle& style) {
  const size_t colon = declaration.find(':');
  if (colon == std::string_view::npos) return;
  const std::string_view name = Trim(declaration.substr(0, colon), kStyleBlanks);
  std::string_view value = declaration.substr(colon + 1);
  value = Trim(value.substr(0, value.find('!')), kStyleBlanks);  // of "!important"
  if (value.empty() || EqualsInAnyCase(value, "inherit")) return;
  if (EqualsInAnyCase(name, "font-size")) style.size = ReadSize(value).value_or(style.size);
  if (EqualsInAnyCase(name, "font-family")) style.font = HashStyleName(value);
  if (EqualsInAnyCase(name, "color")) style.color = HashStyleName(value);
  if (EqualsInAnyCase(name, "font-weight")) {
    style.is_strong = ReadWeight(value).value_or(style.is_strong);
  }
}

}  // namespace

BlockStyle ReadLetterStyle(HtmlTag tag, const HtmlAttributes& attributes,
                           const BlockStyle& around) {
  BlockStyle style = around;
  if (tag == HtmlTag::kFont) {
    style.size = ReadFontSize(attributes.content).value_or(style.size);
    if (!attributes.name.empty()) style.font = HashStyleName(attributes.name);
    if (!attributes.property.empty()) style.color = HashStyleName(attributes.property);
  }
  std::string_view rest = attributes.style;
  while (!rest.empty()) {
    const size_t end = std::min(rest.find(';'), rest.size());
    ReadDeclaration(rest.substr(0, end), style);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return style;
}

}  // namespace zhiwen
