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

// Calls visit(begin, end) for each token of `text`, in bytes.
template <typename Visit>
void VisitTokens(std::string_view text, const Visit& visit) {
  size_t word = std::string_view::npos;
  VisitCodePoints(text, [&](const DecodedCodePoint& decoded, size_t at) {
    const CharacterKind kind = KindOfCodePoint(decoded.code_point);
    const bool is_word = kind >= CharacterKind::kDigit && kind != CharacterKind::kIdeograph;
    if (is_word) {
      if (word == std::string_view::npos) word = at;
      return;
    }
    if (word != std::string_view::npos) visit(word, at);
    word = std::string_view::npos;
    if (kind == CharacterKind::kIdeograph) visit(at, at + decoded.length);
  });
  if (word != std::string_view::npos) visit(word, text.size());
}

BlockStatistics CountBlock(std::string_view text);

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENT_HTML_BLOCK_STATISTICS_H_
