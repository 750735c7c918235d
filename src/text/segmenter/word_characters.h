#ifndef ZHIWEN_TEXT_SEGMENTER_WORD_CHARACTERS_H_
#define ZHIWEN_TEXT_SEGMENTER_WORD_CHARACTERS_H_

// Numbers the characters that words of several characters consist of: U+4E00 to U+9FD5 are 1 to
// kHanCodes, ASCII characters follow. Any other character is always a word of its own.
//
// In          UTF-8; an invalid byte counts as a character with no number
// Threads     free functions

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/utf8/utf8.h"

namespace zhiwen {

inline constexpr uint32_t kFirstHan = 0x4E00;
inline constexpr uint32_t kHanCodes = 0x9FD5 - kFirstHan + 1;
inline constexpr uint32_t kHanBytes = 3;  // bytes of each Han character in UTF-8
inline constexpr uint32_t kLastWordCode = kHanCodes + 0x7F;
// Maximum length of a dictionary word.
inline constexpr uint32_t kMostWordCharacters = 256;

// By byte: the byte itself for ASCII characters that belong to words, 0 for all others.
using AsciiWordTable = std::array<uint8_t, 256>;

constexpr bool IsAsciiDigit(uint8_t byte) { return byte >= '0' && byte <= '9'; }
constexpr bool IsAsciiLetterOrDigit(uint8_t byte) {
  return IsAsciiDigit(byte) || (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
}

constexpr AsciiWordTable MakeAsciiWordTable(std::string_view signs) {
  AsciiWordTable table = {};
  for (uint32_t byte = 0; byte < 0x80; ++byte) {
    const auto ascii = static_cast<uint8_t>(byte);
    if (IsAsciiLetterOrDigit(ascii)) table[byte] = ascii;
  }
  for (const char sign : signs) table[static_cast<uint8_t>(sign)] = static_cast<uint8_t>(sign);
  return table;
}

inline constexpr AsciiWordTable kWordAscii = MakeAsciiWordTable("+#&._%-");
inline constexpr AsciiWordTable kTaggedWordAscii = MakeAsciiWordTable("+#&._");

// A character that may belong to a word, and its length in bytes.
struct WordCharacter {
  uint32_t code = 0;  // 0 when it belongs to no word
  uint32_t length = 0;
};

[[gnu::always_inline]] inline uint32_t HanCode(const uint8_t* at, const uint8_t* end) {
  if (!IsHanLead(*at) || end - at < kHanBytes) return 0;
  if (!IsContinuation(at[1]) || !IsContinuation(at[2])) return 0;
  const uint32_t code_point = (at[0] & 0xFU) << 12 | (at[1] & 0x3FU) << 6 | (at[2] & 0x3FU);
  const uint32_t index = code_point - kFirstHan;
  return index < kHanCodes ? index + 1 : 0;
}

[[gnu::always_inline]] inline WordCharacter ReadWordCharacter(const uint8_t* at, const uint8_t* end,
                                                              const AsciiWordTable& ascii) {
  if (*at < 0x80) return {ascii[*at] == 0 ? 0 : kHanCodes + ascii[*at], 1};
  return {HanCode(at, end), kHanBytes};
}

// Returns the codes of a word, or nothing when it contains another character.
inline std::optional<std::vector<uint32_t>> CodesOfWord(std::string_view utf8) {
  std::vector<uint32_t> codes;
  const auto* at = reinterpret_cast<const uint8_t*>(utf8.data());
  for (const uint8_t* const end = at + utf8.size(); at < end;) {
    const WordCharacter next = ReadWordCharacter(at, end, kWordAscii);
    if (next.code == 0) return std::nullopt;
    codes.push_back(next.code);
    at += next.length;
  }
  return codes;
}

}  // namespace zhiwen

#endif  // ZHIWEN_TEXT_SEGMENTER_WORD_CHARACTERS_H_
