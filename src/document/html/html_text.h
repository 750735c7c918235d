#ifndef ZHIWEN_DOCUMENT_HTML_HTML_TEXT_H_
#define ZHIWEN_DOCUMENT_HTML_HTML_TEXT_H_

// The characters that the text between tags stands for: character references are decoded, white
// space of every kind is a space, and characters without width or meaning are left out.
//
// In          UTF-8
// Out         calls of a sink, in the order of the text
// Guarantees  each byte is looked at a bounded number of times; what a sink gets is UTF-8 again
// Cost        about a gigabyte a second
// Threads     free functions

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace zhiwen {

// How the bytes of a text have to be looked at.
enum class HtmlByte : uint8_t { kPlain, kSpace, kDropped, kReference, kLead, kMarkup };

inline constexpr std::array<HtmlByte, 256> kHtmlBytes = [] {
  std::array<HtmlByte, 256> bytes = {};
  for (size_t i = 0; i < 0x20; ++i) bytes[i] = HtmlByte::kDropped;
  for (const char c : {' ', '\t', '\n', '\f', '\r'}) {
    bytes[static_cast<uint8_t>(c)] = HtmlByte::kSpace;
  }
  bytes[0x7F] = HtmlByte::kDropped;
  bytes['&'] = HtmlByte::kReference;
  bytes['<'] = HtmlByte::kMarkup;
  for (const int lead : {0xC2, 0xE2, 0xE3, 0xEF}) bytes[lead] = HtmlByte::kLead;
  return bytes;
}();

// A character of several bytes that is white space or left out.
struct OddCharacter {
  HtmlByte kind = HtmlByte::kPlain;
  size_t length = 1;
};

// Looks at the character at the front of `text`, whose first byte is a kLead.
inline OddCharacter ReadOddCharacter(std::string_view text) {
  const auto byte = [text](size_t i) {
    return i < text.size() ? static_cast<uint8_t>(text[i]) : uint8_t{0};
  };
  // Clipped characters are none.
  if (byte(1) < 0x80 || (byte(0) != 0xC2 && byte(2) < 0x80)) return {};
  if (byte(0) == 0xC2) {
    if (byte(1) == 0xA0 || byte(1) == 0x85) return {HtmlByte::kSpace, 2};
    return {byte(1) < 0xA0 || byte(1) == 0xAD ? HtmlByte::kDropped : HtmlByte::kPlain, 2};
  }
  const uint32_t tail = uint32_t{byte(1)} << 8 | byte(2);
  if (byte(0) == 0xE3) return {tail == 0x8080 ? HtmlByte::kSpace : HtmlByte::kPlain, 3};
  if (byte(0) == 0xEF) return {tail == 0xBBBF ? HtmlByte::kDropped : HtmlByte::kPlain, 3};
  if (tail < 0x808B || tail == 0x80A8 || tail == 0x80A9 || tail == 0x80AF || tail == 0x819F) {
    return {HtmlByte::kSpace, 3};
  }
  const bool dropped =
      tail <= 0x808F || (tail >= 0x80AA && tail <= 0x80AE) || (tail >= 0x81A0 && tail <= 0x81AF);
  return {dropped ? HtmlByte::kDropped : HtmlByte::kPlain, 3};
}

// A character reference such as &amp; or &#20013;
struct CharacterReference {
  size_t length = 0;  // in the source; 0: it is none, and the & stands for itself
  std::array<char, 8> utf8 = {};
  size_t size = 0;  // of what it stands for; 0: nothing

  std::string_view value() const { return {utf8.data(), size}; }
};

// Reads the reference at the front of `text`, which begins with '&'. Numbers from 128 to 159 have
// their meaning of Windows-1252.
CharacterReference ReadCharacterReference(std::string_view text);

// Returns what a decoded character is.
inline HtmlByte KindOfCharacter(std::string_view utf8) {
  if (utf8.empty()) return HtmlByte::kDropped;
  const HtmlByte kind = kHtmlBytes[static_cast<uint8_t>(utf8.front())];
  if (kind == HtmlByte::kReference || kind == HtmlByte::kMarkup) return HtmlByte::kPlain;
  return kind == HtmlByte::kLead ? ReadOddCharacter(utf8).kind : kind;
}

// Returns how many of eight bytes stand for themselves before one that may not. A space is one of
// them before another byte that does; what stands before the first byte is not known.
inline size_t CountPlainBytes(const char* eight) {
  uint64_t bytes = 0;
  std::memcpy(&bytes, eight, sizeof(bytes));
  constexpr uint64_t kOnes = 0x0101010101010101U, kHigh = 0x8080808080808080U;
  // A high bit is set where the byte is `value`, and perhaps in bytes above such a one.
  const auto equal = [bytes](uint64_t value) {
    const uint64_t other = bytes ^ value * kOnes;
    return (other - kOnes) & ~other & kHigh;
  };
  const uint64_t spaces = equal(' ');
  uint64_t odd = ((bytes - 0x20 * kOnes) & ~bytes & kHigh) | equal(0x7F) | equal('&') | equal('<') |
                 (spaces & spaces << 8);
  if ((bytes & kHigh) != 0) odd |= equal(0xC2) | equal(0xE2) | equal(0xE3) | equal(0xEF);
  const size_t plain = odd == 0 ? 8 : static_cast<size_t>(std::countr_zero(odd)) / 8;
  return plain - (plain > 0 && eight[plain - 1] == ' ' ? 1 : 0);
}

// Returns the end of the longest stretch from `at` on whose bytes stand for themselves. A single
// space inside of it is one of them.
inline size_t EndOfPlainText(std::string_view html, size_t at, size_t end) {
  const size_t begin = at;
  const auto kind = [html](size_t i) { return kHtmlBytes[static_cast<uint8_t>(html[i])]; };
  while (at < end) {
    if (end - at >= 8 && (at > begin || html[at] != ' ')) {
      const size_t plain = CountPlainBytes(html.data() + at);
      at += plain;
      if (plain >= 7) continue;
    }
    const HtmlByte byte = kind(at);
    size_t length = 1;
    if (byte == HtmlByte::kLead) {
      const OddCharacter odd = ReadOddCharacter(html.substr(at, end - at));
      if (odd.kind != HtmlByte::kPlain) return at;
      length = odd.length;
    } else if (byte != HtmlByte::kPlain && (html[at] != ' ' || at == begin || at + 1 >= end ||
                                            kind(at + 1) != HtmlByte::kPlain)) {
      return at;
    }
    at += length;
  }
  return at < end ? at : end;
}

// White space of ASCII.
struct SpaceRun {
  size_t end = 0;
  bool has_line_end = false;
};

inline SpaceRun ReadSpaces(std::string_view html, size_t at, size_t end) {
  SpaceRun run{.end = at};
  while (run.end < end && kHtmlBytes[static_cast<uint8_t>(html[run.end])] == HtmlByte::kSpace) {
    run.has_line_end |= html[run.end++] == '\n';
  }
  return run;
}

// Reads from `at` up to the next '<' or the end, which it returns. Calls of `sink`:
//   sink.Run(begin, end)                     bytes that stand for themselves
//   sink.Space(has_line_end, begin, end)     white space
//   sink.Character(utf8, begin, end)         what a character reference stands for
template <typename Sink>
size_t VisitHtmlText(std::string_view html, size_t at, Sink&& sink) {
  const size_t end = html.size();
  while (at < end && html[at] != '<') {
    const SpaceRun spaces = ReadSpaces(html, at, end);
    if (spaces.end > at) {
      sink.Space(spaces.has_line_end, at, spaces.end);
      at = spaces.end;
      if (at == end || html[at] == '<') return at;
    }
    const size_t plain = EndOfPlainText(html, at, end);
    if (plain > at) {
      sink.Run(at, plain);
      at = plain;
      continue;
    }
    const HtmlByte kind = kHtmlBytes[static_cast<uint8_t>(html[at])];
    OddCharacter odd{kind, 1};
    if (kind == HtmlByte::kLead) odd = ReadOddCharacter(html.substr(at, end - at));
    if (kind != HtmlByte::kReference) {
      const size_t after = at + odd.length < end ? at + odd.length : end;
      if (odd.kind == HtmlByte::kSpace) sink.Space(false, at, after);
      at = after;
      continue;
    }
    const CharacterReference reference = ReadCharacterReference(html.substr(at, end - at));
    const size_t after = at + (reference.length == 0 ? 1 : reference.length);
    const std::string_view value = reference.length == 0 ? html.substr(at, 1) : reference.value();
    const HtmlByte means = KindOfCharacter(value);
    if (means == HtmlByte::kSpace) {
      sink.Space(value.front() == '\n', at, after);
    } else if (means != HtmlByte::kDropped) {
      sink.Character(value, at, after);
    }
    at = after;
  }
  return at;
}

// Returns the character that a byte of Windows-1252 stands for; U+FFFD for bytes without meaning.
uint32_t Windows1252CodePoint(uint8_t byte);

// Returns what a text stands for, with one space for each white space and none at its ends.
std::string DecodeHtmlText(std::string_view html);

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENT_HTML_HTML_TEXT_H_
