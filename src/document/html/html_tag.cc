#include "document/html/html_tag.h"

#include <array>
#include <bit>
#include <cstring>

namespace zhiwen {
namespace {

struct TagRow {
  std::string_view name;
  HtmlTagKind kind;
};

// In the order of HtmlTag.
constexpr std::array<TagRow, kHtmlTagCount> kTagRows = {{
    {"", HtmlTagKind::kPassed},          {"a", HtmlTagKind::kInline},
    {"address", HtmlTagKind::kBlock},    {"article", HtmlTagKind::kBlock},
    {"aside", HtmlTagKind::kBlock},      {"b", HtmlTagKind::kInline},
    {"base", HtmlTagKind::kVoid},        {"blockquote", HtmlTagKind::kBlock},
    {"body", HtmlTagKind::kBlock},       {"br", HtmlTagKind::kVoid},
    {"button", HtmlTagKind::kInline},    {"caption", HtmlTagKind::kBlock},
    {"center", HtmlTagKind::kBlock},     {"dd", HtmlTagKind::kBlock},
    {"details", HtmlTagKind::kBlock},    {"dialog", HtmlTagKind::kBlock},
    {"dir", HtmlTagKind::kBlock},        {"div", HtmlTagKind::kBlock},
    {"dl", HtmlTagKind::kBlock},         {"dt", HtmlTagKind::kBlock},
    {"em", HtmlTagKind::kInline},        {"fieldset", HtmlTagKind::kBlock},
    {"figcaption", HtmlTagKind::kBlock}, {"figure", HtmlTagKind::kBlock},
    {"font", HtmlTagKind::kInline},      {"footer", HtmlTagKind::kBlock},
    {"form", HtmlTagKind::kBlock},       {"h1", HtmlTagKind::kBlock},
    {"h2", HtmlTagKind::kBlock},         {"h3", HtmlTagKind::kBlock},
    {"h4", HtmlTagKind::kBlock},         {"h5", HtmlTagKind::kBlock},
    {"h6", HtmlTagKind::kBlock},         {"header", HtmlTagKind::kBlock},
    {"hr", HtmlTagKind::kVoid},          {"html", HtmlTagKind::kPassed},
    {"i", HtmlTagKind::kInline},         {"iframe", HtmlTagKind::kRaw},
    {"img", HtmlTagKind::kVoid},         {"label", HtmlTagKind::kInline},
    {"li", HtmlTagKind::kBlock},         {"link", HtmlTagKind::kVoid},
    {"main", HtmlTagKind::kBlock},       {"menu", HtmlTagKind::kBlock},
    {"meta", HtmlTagKind::kVoid},        {"nav", HtmlTagKind::kBlock},
    {"noembed", HtmlTagKind::kRaw},      {"noframes", HtmlTagKind::kRaw},
    {"noscript", HtmlTagKind::kRaw},     {"ol", HtmlTagKind::kBlock},
    {"p", HtmlTagKind::kBlock},          {"pre", HtmlTagKind::kBlock},
    {"script", HtmlTagKind::kRaw},       {"section", HtmlTagKind::kBlock},
    {"select", HtmlTagKind::kSkipped},   {"span", HtmlTagKind::kInline},
    {"strong", HtmlTagKind::kInline},    {"style", HtmlTagKind::kRaw},
    {"summary", HtmlTagKind::kBlock},    {"svg", HtmlTagKind::kSkipped},
    {"table", HtmlTagKind::kBlock},      {"tbody", HtmlTagKind::kBlock},
    {"td", HtmlTagKind::kBlock},         {"template", HtmlTagKind::kSkipped},
    {"textarea", HtmlTagKind::kRaw},     {"tfoot", HtmlTagKind::kBlock},
    {"th", HtmlTagKind::kBlock},         {"thead", HtmlTagKind::kBlock},
    {"time", HtmlTagKind::kInline},      {"title", HtmlTagKind::kRaw},
    {"tr", HtmlTagKind::kBlock},         {"ul", HtmlTagKind::kBlock},
    {"xmp", HtmlTagKind::kRaw},
}};

constexpr uint64_t kOnes = 0x0101010101010101U, kHigh = 0x80 * kOnes;
constexpr size_t kKeyLetters = 8;   // they tell known names of one length apart
constexpr size_t kLongestTag = 10;  // blockquote, figcaption

// The first eight letters of a name.
constexpr uint64_t KeyOfTag(std::string_view name) {
  uint64_t key = 0;
  for (size_t i = 0; i < name.size() && i < kKeyLetters; ++i) {
    key |= uint64_t{static_cast<uint8_t>(name[i])} << 8 * i;
  }
  return key;
}

// Makes small letters of the capital ones among eight bytes.
uint64_t ToLowerCase(uint64_t bytes) {
  const uint64_t low = bytes & ~kHigh;
  const uint64_t from_a = low + (0x80 - 'A') * kOnes;        // high bit: at least 'A'
  const uint64_t behind_z = low + (0x80 - 'Z' - 1) * kOnes;  // high bit: above 'Z'
  return bytes | ((from_a & ~behind_z & ~bytes & kHigh) >> 2);
}

// Whether what is behind the key of a name, in any case, is that of a known name.
bool HasRest(std::string_view known, std::string_view name) {
  if (known.size() != name.size()) return false;
  for (size_t i = kKeyLetters; i < name.size(); ++i) {
    if ((name[i] | 0x20) != known[i]) return false;
  }
  return true;
}

constexpr size_t kSlots = 256;
constexpr size_t SlotOfTag(uint64_t key) { return key * 0x9E3779B97F4A7C15U >> 56; }

struct TagTable {
  std::array<uint64_t, kSlots> keys = {};
  std::array<HtmlTag, kSlots> tags = {};
};

constexpr TagTable kTagTable = [] {
  TagTable table;
  for (size_t i = 1; i < kHtmlTagCount; ++i) {
    const uint64_t key = KeyOfTag(kTagRows[i].name);
    size_t slot = SlotOfTag(key);
    while (table.keys[slot] != 0) slot = (slot + 1) % kSlots;
    table.keys[slot] = key;
    table.tags[slot] = static_cast<HtmlTag>(i);
  }
  return table;
}();

// Returns the tag whose first letters are `key`, provided that the rest of its name agrees.
HtmlTag FindTag(uint64_t key, std::string_view name) {
  for (size_t slot = SlotOfTag(key); kTagTable.keys[slot] != 0; slot = (slot + 1) % kSlots) {
    if (kTagTable.keys[slot] != key) continue;
    const HtmlTag tag = kTagTable.tags[slot];
    return HasRest(NameOf(tag), name) ? tag : HtmlTag::kOther;
  }
  return HtmlTag::kOther;
}

bool EndsTagName(char c) {
  return c == ' ' || c == '>' || c == '/' || c == '\n' || c == '\t' || c == '\r' || c == '\f';
}

}  // namespace

HtmlTagKind KindOf(HtmlTag tag) { return kTagRows[static_cast<size_t>(tag)].kind; }

std::string_view NameOf(HtmlTag tag) { return kTagRows[static_cast<size_t>(tag)].name; }

HtmlTag ParseHtmlTag(std::string_view name) {
  if (name.empty() || name.size() > kLongestTag) return HtmlTag::kOther;
  return FindTag(ToLowerCase(KeyOfTag(name)), name);
}

HtmlTagName ReadHtmlTagName(std::string_view html, size_t at) {
  if (html.size() - at >= sizeof(uint64_t)) {
    uint64_t bytes = 0;
    std::memcpy(&bytes, html.data() + at, sizeof(bytes));
    // The lowest high bit stands at the first byte that is below '0', or '>'.
    const uint64_t greater = bytes ^ '>' * kOnes;
    const uint64_t ends =
        (((bytes - '0' * kOnes) & ~bytes) | ((greater - kOnes) & ~greater)) & kHigh;
    if (ends != 0) {
      const auto length = static_cast<size_t>(std::countr_zero(ends)) / 8;
      if (length > 0 && EndsTagName(html[at + length])) {
        const uint64_t key = bytes & ((uint64_t{1} << 8 * length) - 1);
        return {FindTag(ToLowerCase(key), html.substr(at, length)), at + length};
      }
    }
  }
  size_t end = at;
  while (end < html.size() && !EndsTagName(html[end])) ++end;
  return {ParseHtmlTag(html.substr(at, end - at)), end};
}

}  // namespace zhiwen
