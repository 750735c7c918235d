#include "document/html/block_statistics.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "base/hash.h"
#include "document/html/place_words.h"

namespace zhiwen {
namespace {

using enum CharacterKind;

constexpr size_t kHashedBytes = 64;

// What a sign means in a sentence.
enum class SignKind : uint8_t { kNone, kComma, kInner, kEnd, kQuote, kSeparator, kEndSeparator };

constexpr SignKind KindOfSign(uint32_t c) {
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

// What a byte of ASCII adds to counts: fields of eight bits in one number.
enum AsciiField : uint8_t {
  kOfWord,
  kOfDigits,
  kOfCapitals,
  kOfSigns,
  kOfMarks,
  kOfCommas,
  kOfSeparators
};

constexpr uint64_t OneOf(AsciiField field) { return uint64_t{1} << 8 * field; }

constexpr bool IsMark(SignKind kind) {
  return kind == SignKind::kComma || kind == SignKind::kInner || kind == SignKind::kEnd ||
         kind == SignKind::kEndSeparator;
}

constexpr bool IsSeparator(SignKind kind) {
  return kind == SignKind::kSeparator || kind == SignKind::kEndSeparator;
}

constexpr std::array<uint64_t, 128> kAsciiCounts = [] {
  std::array<uint64_t, 128> counts = {};
  for (uint32_t c = 0; c < counts.size(); ++c) {
    const CharacterKind kind = kAsciiKinds[c];
    const SignKind sign = KindOfSign(c);
    if (kind >= kDigit) counts[c] |= OneOf(kOfWord);
    if (kind == kDigit) counts[c] |= OneOf(kOfDigits);
    if (kind == kCapital) counts[c] |= OneOf(kOfCapitals);
    if (kind == kSign) counts[c] |= OneOf(kOfSigns);
    if (IsMark(sign)) counts[c] |= OneOf(kOfMarks);
    if (sign == SignKind::kComma) counts[c] |= OneOf(kOfCommas);
    if (IsSeparator(sign)) counts[c] |= OneOf(kOfSeparators);
  }
  return counts;
}();

constexpr size_t kMostAtOnce = 255;  // bytes of ASCII, so that no field runs over

// Counts characters one behind another.
class BlockCounter {
 public:
  explicit BlockCounter(std::string_view text)
      : at_(reinterpret_cast<const uint8_t*>(text.data())), end_(at_ + text.size()) {}

  BlockStatistics Count() {
    while (at_ < end_) {
      CountAscii();
      while (at_ < end_ && *at_ >= 0x80) CountOther();
    }
    counts_.tokens = counts_.han + counts_.words;
    counts_.characters = counts_.han + counts_.signs + counts_.word_characters;
    return counts_;
  }

 private:
  void CountAscii() {
    const uint8_t* const stop = at_ + std::min<size_t>(kMostAtOnce, end_ - at_);
    uint64_t sums = 0, pairs = 0, before = in_word_ ? OneOf(kOfWord) : 0;
    const auto count = [&](uint8_t byte) {
      const uint64_t counts = kAsciiCounts[byte];
      sums += counts;
      pairs += counts & before;  // bytes of a word behind another one, in its field
      before = counts;
    };
    for (; stop - at_ >= 8; at_ += 8) {
      uint64_t eight = 0;
      std::memcpy(&eight, at_, sizeof(eight));
      if ((eight & 0x8080808080808080U) != 0) break;
#pragma GCC unroll 8
      for (size_t i = 0; i < 8; ++i) count(at_[i]);
    }
    for (; at_ < stop && *at_ < 0x80; ++at_) count(*at_);
    in_word_ = (before & OneOf(kOfWord)) != 0;
    const auto sum = [sums](AsciiField field) {
      return static_cast<uint32_t>(sums >> 8 * field & 0xFF);
    };
    counts_.words += sum(kOfWord) - static_cast<uint32_t>(pairs >> 8 * kOfWord & 0xFF);
    counts_.word_characters += sum(kOfWord);
    counts_.digits += sum(kOfDigits);
    counts_.capitals += sum(kOfCapitals);
    counts_.signs += sum(kOfSigns);
    counts_.marks += sum(kOfMarks);
    counts_.commas += sum(kOfCommas);
    counts_.separators += sum(kOfSeparators);
  }

  void CountOther() {
    const DecodedCodePoint decoded = DecodeMultiByte(at_, end_);
    at_ += decoded.length;
    const CharacterKind kind = KindOfCodePoint(decoded.code_point);
    const bool was_in_word = std::exchange(in_word_, false);
    if (kind == kIdeograph) {
      ++counts_.han;
    } else if (kind == kSign) {
      const SignKind sign = KindOfSign(decoded.code_point);
      ++counts_.signs;
      counts_.marks += IsMark(sign) ? 1 : 0;
      counts_.commas += sign == SignKind::kComma ? 1 : 0;
      counts_.separators += IsSeparator(sign) ? 1 : 0;
      counts_.private_use += decoded.code_point - 0xE000 < 0x1900 ? 1 : 0;
    } else {
      in_word_ = true;
      counts_.words += was_in_word ? 0 : 1;
      ++counts_.word_characters;
      counts_.digits += kind == kDigit ? 1 : 0;
      counts_.capitals += kind == kCapital ? 1 : 0;
    }
  }

  const uint8_t* at_;
  const uint8_t* end_;
  BlockStatistics counts_;
  bool in_word_ = false;
};

// Whether the last character but quotes and white space ends a sentence.
bool EndsSentence(std::string_view text) {
  while (!text.empty()) {
    size_t begin = text.size() - 1;
    while (begin > 0 && IsContinuation(static_cast<uint8_t>(text[begin]))) --begin;
    const uint32_t code_point = DecodeAt(text, begin).code_point;
    const SignKind sign = KindOfSign(code_point);
    if (sign != SignKind::kQuote && KindOfCodePoint(code_point) != kSpace) {
      return sign == SignKind::kEnd;
    }
    text = text.substr(0, begin);
  }
  return false;
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
  BlockStatistics counts = BlockCounter(text).Count();
  counts.ends_sentence = EndsSentence(text);
  counts.hash = HashBytes64(text.substr(0, kHashedBytes), text.size());
  if (counts.tokens <= kPhraseTokens) counts.phrases = FindPhrases(text.substr(0, kPhraseBytes));
  return counts;
}

}  // namespace zhiwen
