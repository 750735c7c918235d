#include "pipeline/run_report/html_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <span>

#include "base/utf8/utf8.h"

namespace zhiwen {
namespace {

struct CodePointRange {
  uint32_t first, last;
};

bool IsIn(std::span<const CodePointRange> ranges, uint32_t code_point) {
  return std::ranges::any_of(ranges, [&](const CodePointRange& range) {
    return range.first <= code_point && code_point <= range.last;
  });
}

// Unicode 15.0, PropList.txt: Bidi_Control, and the separators that break lines in scripts.
constexpr auto kNamed = std::to_array<CodePointRange>(
    {{0x80, 0x9F}, {0x61C, 0x61C}, {0x200E, 0x200F}, {0x2028, 0x202E}, {0x2066, 0x2069}});

// DerivedCoreProperties.txt: Default_Ignorable_Code_Point, without what writing and emoji need:
// U+200C, U+200D, variation selectors.
constexpr auto kInvisible = std::to_array<CodePointRange>({{0xAD, 0xAD},
                                                           {0x34F, 0x34F},
                                                           {0x115F, 0x1160},
                                                           {0x17B4, 0x17B5},
                                                           {0x180B, 0x180F},
                                                           {0x200B, 0x200B},
                                                           {0x2060, 0x2065},
                                                           {0x206A, 0x206F},
                                                           {0x3164, 0x3164},
                                                           {0xFEFF, 0xFEFF},
                                                           {0xFFA0, 0xFFA0},
                                                           {0xFFF0, 0xFFFB},
                                                           {0x1BCA0, 0x1BCA3},
                                                           {0x1D173, 0x1D17A},
                                                           {0xE0000, 0xE00FF},
                                                           {0xE01F0, 0xE0FFF}});

// By name: few fonts have the pictures of U+2400.
constexpr std::array<std::string_view, 32> kControlNames = {
    "NUL", "SOH", "STX", "ETX", "EOT", "ENQ", "ACK", "BEL", "BS",  "HT",  "LF",
    "VT",  "FF",  "CR",  "SO",  "SI",  "DLE", "DC1", "DC2", "DC3", "DC4", "NAK",
    "SYN", "ETB", "CAN", "EM",  "SUB", "ESC", "FS",  "GS",  "RS",  "US"};

bool IsNoncharacter(uint32_t code_point) {
  return (code_point & 0xFFFE) == 0xFFFE || (code_point >= 0xFDD0 && code_point <= 0xFDEF);
}

void AppendAscii(std::string& out, char c) {
  switch (c) {
    case '&':
      out += "&amp;";
      return;
    case '<':
      out += "&lt;";
      return;
    case '>':
      out += "&gt;";
      return;
    case '"':
      out += "&quot;";
      return;
    case '\'':
      out += "&#39;";
      return;
    case '\n':
    case '\t':
      out += c;
      return;
    default:
      break;
  }
  const auto code = static_cast<size_t>(static_cast<unsigned char>(c));
  if (code >= 0x20 && code < 0x7F) {
    out += c;
  } else {
    fmt::format_to(std::back_inserter(out), "<span class=\"c\">{}</span>",
                   code == 0x7F ? std::string_view("DEL") : kControlNames[code]);
  }
}

void AppendBeyondAscii(std::string& out, const DecodedCodePoint& decoded, std::string_view bytes) {
  const uint32_t code_point = decoded.code_point;
  if (!decoded.is_valid() || IsNoncharacter(code_point)) {
    out += "\uFFFD";
  } else if (IsIn(kNamed, code_point)) {
    fmt::format_to(std::back_inserter(out), "<span class=\"c\">U+{:04X}</span>", code_point);
  } else if (IsIn(kInvisible, code_point)) {
    out += "<span class=\"z\">┊</span>";
  } else {
    out += bytes;
  }
}

}  // namespace

void AppendHtmlText(std::string& out, std::string_view text) {
  VisitCodePoints(text, [&](DecodedCodePoint decoded, size_t begin) {
    if (decoded.code_point < 0x80) {
      AppendAscii(out, text[begin]);
    } else {
      AppendBeyondAscii(out, decoded, text.substr(begin, decoded.length));
    }
  });
}

std::string HtmlLabel(std::string_view name, size_t characters) {
  size_t count = 0, end = 0;
  VisitCodePoints(name, [&](DecodedCodePoint decoded, size_t begin) {
    if (count == characters) return false;
    ++count;
    end = begin + decoded.length;
    return true;
  });
  std::string line(name.substr(0, end));
  std::ranges::replace(line, '\t', ' ');
  std::string out = "<bdi>";
  for (size_t at = 0; at < line.size();) {
    const size_t break_at = std::min(line.find('\n', at), line.size());
    AppendHtmlText(out, std::string_view(line).substr(at, break_at - at));
    if (break_at < line.size()) out += "<span class=\"c\">↵</span>";
    at = break_at + 1;
  }
  if (end < name.size()) out += "…";
  return out + "</bdi>";
}

std::string_view LanguageOf(std::string_view text) {
  bool has_han = false, has_kana = false, has_hangul = false;
  VisitCodePoints(text, [&](DecodedCodePoint decoded, size_t) {
    const uint32_t c = decoded.code_point;
    has_kana = has_kana || (c >= 0x3041 && c <= 0x30FA);
    has_hangul = has_hangul || (c >= 0xAC00 && c <= 0xD7A3);
    has_han = has_han || (c >= 0x3400 && c <= 0x9FFF) || (c >= 0x20000 && c <= 0x323AF);
  });
  if (has_kana) return "ja";
  if (has_hangul) return "ko";
  return has_han ? "zh" : "";
}

std::string HtmlCode(std::string_view name) { return "<code>" + HtmlLabel(name, 400) + "</code>"; }

}  // namespace zhiwen
