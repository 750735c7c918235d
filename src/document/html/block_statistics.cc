#include "document/html/block_statistics.h"

#include "base/hash.h"
#include "document/html/place_words.h"

namespace zhiwen {
namespace {

using enum CharacterKind;

constexpr size_t kHashedBytes = 64;

// What a sign means in a sentence.
enum class SignKind : uint8_t { kNone, kComma, kInner, kEnd, kQuote, kSeparator, kEndSeparator };

SignKind KindOfSign(uint32_t c) {
  switch (c) {
    case ',':
    case 0xFF0C:
    case 0x3001:
      return SignKind::kComma;
    case ':':
    case ';':
    case 0xFF1A:
      return SignKind::kInner;
    case 0xFF1B:
      return SignKind::kEndSeparator;  // ；
    case '.':
    case '!':
    case '?':
    case 0x3002:
    case 0xFF01:
    case 0xFF1F:
    case 0x2026:
      return SignKind::kEnd;
    case '"':
    case '\'':
    case ')':
    case 0x201D:
    case 0x2019:
    case 0xFF09:
    case 0x300D:
    case 0x300F:
    case 0x300B:
      return SignKind::kQuote;
    case '|':
    case '>':
    case '[':
    case '/':
    case 0xBB:
    case 0xB7:
      return SignKind::kSeparator;
    default:
      return SignKind::kNone;
  }
}

void CountSign(uint32_t code_point, BlockStatistics& counts) {
  const SignKind kind = KindOfSign(code_point);
  counts.marks += kind == SignKind::kComma || kind == SignKind::kInner || kind == SignKind::kEnd ||
                          kind == SignKind::kEndSeparator
                      ? 1
                      : 0;
  counts.commas += kind == SignKind::kComma ? 1 : 0;
  counts.separators += kind == SignKind::kSeparator || kind == SignKind::kEndSeparator ? 1 : 0;
  if (kind != SignKind::kQuote) counts.ends_sentence = kind == SignKind::kEnd;
}

// Reads the word that begins at `at`. Returns where it ends.
size_t CountWord(std::string_view text, size_t at, BlockStatistics& counts) {
  const size_t word_characters = counts.word_characters;
  while (at < text.size()) {
    const auto byte = static_cast<uint8_t>(text[at]);
    const DecodedCodePoint decoded = byte < 0x80 ? DecodedCodePoint{byte, 1} : DecodeAt(text, at);
    const CharacterKind kind = KindOfCodePoint(decoded.code_point);
    if (kind < kDigit || kind == kIdeograph) break;
    ++counts.word_characters;
    counts.digits += kind == kDigit ? 1 : 0;
    counts.capitals += kind == kCapital ? 1 : 0;
    at += decoded.length;
  }
  counts.characters += static_cast<uint32_t>(counts.word_characters - word_characters);
  ++counts.words;
  return at;
}

}  // namespace

CharacterKind KindOfOtherCodePoint(uint32_t c) {
  if ((c >= 0x3400 && c < 0xA000) || (c >= 0x3041 && c < 0x3100) || (c >= 0xAC00 && c < 0xD7B0)) {
    return kIdeograph;
  }
  if (c < 0xC0) return c == 0xAA || c == 0xB5 || c == 0xBA ? kLetter : kSign;
  if (c == 0xD7 || c == 0xF7) return kSign;
  if (c < 0x2000) return kLetter;
  if (c < 0x2C00) return kSign;  // punctuation, arrows, boxes, symbols
  if (c >= 0x2E00 && c < 0x3040) return kSign;
  if (c >= 0xFF00 && c < 0xFFF0) {
    if (c >= 0xFF10 && c <= 0xFF19) return kDigit;
    if (c >= 0xFF21 && c <= 0xFF3A) return kCapital;
    return c >= 0xFF41 && c <= 0xFF5A ? kLetter : kSign;
  }
  if (c >= 0x20000 && c < 0x32000) return kIdeograph;
  return c >= 0xE000 && c < 0xFB00 ? kSign : c >= 0x1F000 ? kSign : kLetter;
}

BlockStatistics CountBlock(std::string_view text) {
  BlockStatistics counts;
  for (size_t at = 0; at < text.size();) {
    const DecodedCodePoint decoded = DecodeAt(text, at);
    const CharacterKind kind = KindOfCodePoint(decoded.code_point);
    if (kind == kIdeograph) {
      counts.ends_sentence = false;
      ++counts.han;
      at += decoded.length;
    } else if (kind == kSpace) {
      at += decoded.length;
    } else if (kind == kSign) {
      ++counts.signs;
      counts.private_use += decoded.code_point - 0xE000 < 0x1900 ? 1 : 0;
      CountSign(decoded.code_point, counts);
      at += decoded.length;
    } else {
      counts.ends_sentence = false;
      at = CountWord(text, at, counts);
    }
  }
  counts.tokens = counts.han + counts.words;
  counts.characters += counts.han + counts.signs;
  counts.hash = HashBytes64(text.substr(0, kHashedBytes), text.size());
  if (counts.tokens <= kPhraseTokens) counts.phrases = FindPhrases(text.substr(0, kPhraseBytes));
  return counts;
}

}  // namespace zhiwen
