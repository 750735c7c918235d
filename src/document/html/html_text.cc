#include "document/html/html_text.h"

#include <algorithm>
#include <utility>

#include "base/utf8/utf8.h"
#include "document/html/html_entity_table.h"

namespace zhiwen {
namespace {

constexpr size_t kLongestName = 32;  // of a character reference
constexpr size_t kLongestOldName = 6;
constexpr size_t kMostDigits = 10;

// Bytes 0x80 to 0x9F of Windows-1252; 0: it has no such byte.
constexpr std::array<uint16_t, 32> kWindows1252 = {
    0x20AC, 0,      0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0,      0x017D, 0,      0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,      0x017E, 0x0178};

bool IsAlphanumeric(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

int DigitOf(char c, uint32_t base) {
  if (c >= '0' && c <= '9') return c - '0';
  if (base == 16 && c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (base == 16 && c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// Returns where the names with each first letter begin.
std::array<uint16_t, 129> IndexEntities() {
  std::array<uint16_t, 129> begins = {};
  for (const HtmlEntity& entity : HtmlEntityTable()) ++begins[entity.name.front() + 1];
  for (size_t i = 1; i < begins.size(); ++i) begins[i] += begins[i - 1];
  return begins;
}

const HtmlEntity* FindEntity(std::string_view name) {
  static const std::array<uint16_t, 129> begins = IndexEntities();
  const auto first = static_cast<size_t>(name.front());  // a letter or a digit
  const std::span<const HtmlEntity> named =
      HtmlEntityTable().subspan(begins[first], begins[first + 1] - begins[first]);
  const auto found = std::ranges::lower_bound(named, name, {}, &HtmlEntity::name);
  return found != named.end() && found->name == name ? &*found : nullptr;
}

CharacterReference MakeReference(size_t length, std::string_view utf8) {
  CharacterReference reference{.length = length, .size = utf8.size()};
  utf8.copy(reference.utf8.data(), reference.utf8.size());
  return reference;
}

CharacterReference ReadNumber(std::string_view text) {
  size_t at = 2;  // behind &#
  const bool is_hex = at < text.size() && (text[at] == 'x' || text[at] == 'X');
  const uint32_t base = is_hex ? 16 : 10;
  if (is_hex) ++at;
  const size_t begin = at;
  uint64_t number = 0;
  for (; at < text.size(); ++at) {
    const int digit = DigitOf(text[at], base);
    if (digit < 0) break;
    if (at - begin < kMostDigits) number = number * base + static_cast<uint64_t>(digit);
  }
  if (at == begin) return {};
  if (at - begin > kMostDigits) number = 0;
  if (at < text.size() && text[at] == ';') ++at;
  if (number >= 0x80 && number < 0xA0) {
    number = Windows1252CodePoint(static_cast<uint8_t>(number));
  }
  if (number == 0 || number > 0x10FFFF || (number & ~uint64_t{0x7FF}) == 0xD800) {
    return MakeReference(at, {});
  }
  std::string utf8;
  AppendUtf8(static_cast<uint32_t>(number), utf8);
  return MakeReference(at, utf8);
}

// One space for a run of white space, and none at the ends.
struct Collapsed {
  std::string_view html;
  std::string text;
  bool has_space = false;

  void Add(std::string_view part) {
    if (has_space && !text.empty()) text += ' ';
    has_space = false;
    text += part;
  }
  void Run(size_t begin, size_t end) { Add(html.substr(begin, end - begin)); }
  void Space(bool, size_t, size_t) { has_space = true; }
  void Character(std::string_view utf8, size_t, size_t) { Add(utf8); }
};

}  // namespace

CharacterReference ReadCharacterReference(std::string_view text) {
  if (text.size() > 1 && text[1] == '#') return ReadNumber(text);
  size_t end = 1;
  while (end < text.size() && end <= kLongestName && IsAlphanumeric(text[end])) ++end;
  if (end < text.size() && text[end] == ';') {
    const HtmlEntity* const entity = FindEntity(text.substr(1, end));
    if (entity != nullptr) return MakeReference(end + 1, entity->value);
  }
  // Old names need no semicolon.
  for (size_t length = std::min(end - 1, kLongestOldName); length >= 2; --length) {
    const HtmlEntity* const entity = FindEntity(text.substr(1, length));
    if (entity != nullptr) return MakeReference(length + 1, entity->value);
  }
  return {};
}

uint32_t Windows1252CodePoint(uint8_t byte) {
  if (byte < 0x80 || byte >= 0xA0) return byte;
  const uint32_t code_point = kWindows1252[byte - 0x80];
  return code_point == 0 ? kReplacementCharacter : code_point;
}

std::string DecodeHtmlText(std::string_view html) {
  Collapsed collapsed{.html = html, .text = {}};
  for (size_t at = 0; at < html.size();) {
    at = VisitHtmlText(html, at, collapsed);
    if (at < html.size()) collapsed.Run(at, at + 1);
    ++at;
  }
  return std::move(collapsed.text);
}

}  // namespace zhiwen
