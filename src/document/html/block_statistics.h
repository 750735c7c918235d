#ifndef ZHIWEN_DOCUMENT_HTML_BLOCK_STATISTICS_H_
#define ZHIWEN_DOCUMENT_HTML_BLOCK_STATISTICS_H_

// Counts of the characters and words of a block of text.
//
// In          text in UTF-8
// Out         counts; a token is a Han character, a kana, a hangul syllable, or a run of other
//             letters and digits
// Cost        about a gigabyte a second
// Threads     free functions

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/utf8/utf8.h"

namespace zhiwen {

struct BlockStatistics {
  uint32_t tokens = 0;
  uint32_t characters = 0;  // without white space
  uint32_t han = 0, digits = 0, capitals = 0, signs = 0;
  uint32_t words = 0, word_characters = 0;  // tokens that are no Han, kana or hangul
  uint32_t marks = 0, commas = 0;           // marks of sentences, commas included
  uint32_t separators = 0;                  // | > [ / » · ；
  uint32_t private_use = 0;
  uint64_t hash = 0;     // of the first 64 bytes and the length
  uint32_t phrases = 0;  // groups of FindPhrases, of a block of kPhraseTokens at most
  bool ends_sentence = false;
};

inline constexpr uint32_t kPhraseTokens = 50;
inline constexpr size_t kPhraseBytes = 160;  // looked at for phrases

// What a character is in a text.
enum class CharacterKind : uint8_t { kSpace, kSign, kDigit, kLetter, kCapital, kIdeograph };

inline constexpr std::array<CharacterKind, 128> kAsciiKinds = [] {
  using enum CharacterKind;
  std::array<CharacterKind, 128> kinds = {};
  for (size_t c = 0x21; c < 0x7F; ++c) kinds[c] = kSign;
  for (char c = '0'; c <= '9'; ++c) kinds[static_cast<size_t>(c)] = kDigit;
  for (char c = 'a'; c <= 'z'; ++c) kinds[static_cast<size_t>(c)] = kLetter;
  for (char c = 'A'; c <= 'Z'; ++c) kinds[static_cast<size_t>(c)] = kCapital;
  kinds['_'] = kLetter;  // as the referee of extraction reads it
  return kinds;
}();

// The same for what is neither ASCII nor one of the Han characters in use.
CharacterKind KindOfOtherCodePoint(uint32_t code_point);

inline CharacterKind KindOfCodePoint(uint32_t code_point) {
  if (code_point < 0x80) return kAsciiKinds[code_point];
  if (code_point - 0x4E00 < 0x5200) return CharacterKind::kIdeograph;
  return KindOfOtherCodePoint(code_point);
}

// Whether it is a part of tokens of several characters.
inline bool IsOfWord(CharacterKind kind) {
  return kind >= CharacterKind::kDigit && kind != CharacterKind::kIdeograph;
}

// Calls visit(begin, end) for each token of `text`, in bytes.
template <typename Visit>
void VisitTokens(std::string_view text, const Visit& visit) {
  const auto* const bytes = reinterpret_cast<const uint8_t*>(text.data());
  const size_t size = text.size();
  for (size_t at = 0, next = 0; at < size; at = next) {
    CharacterKind kind = CharacterKind::kSpace;  // of what is behind a word
    size_t end = at, length = 0;
    for (; end < size; end += length) {
      while (end < size && bytes[end] < 0x80 && IsOfWord(kAsciiKinds[bytes[end]])) ++end;
      length = 0;
      if (end == size) break;
      const DecodedCodePoint decoded = DecodeCodePoint(bytes + end, bytes + size);
      kind = KindOfCodePoint(decoded.code_point);
      length = decoded.length;
      if (!IsOfWord(kind)) break;
    }
    const bool is_ideograph = kind == CharacterKind::kIdeograph;
    next = end + (is_ideograph && end > at ? 0 : length);
    if (end == at && !is_ideograph) continue;
    visit(at, end == at ? next : end);
  }
}

BlockStatistics CountBlock(std::string_view text);

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENT_HTML_BLOCK_STATISTICS_H_
