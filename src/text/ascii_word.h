#ifndef ZHIWEN_TEXT_ASCII_WORD_H_
#define ZHIWEN_TEXT_ASCII_WORD_H_

// Processes ASCII eight bytes at a time inside one register (SWAR), for runs of English.

#include <bit>
#include <cstdint>
#include <cstring>

namespace zhiwen {

// The letters and digits at the start of a text, at most eight, in lower case.
struct AsciiWord {
  uint64_t bytes;   // first character in the lowest byte, zeros after the last
  uint32_t length;  // 0–8

  uint32_t last() const { return static_cast<uint32_t>(bytes >> (8 * length - 8)) & 0xFF; }
};

// Returns eight bytes from `at`, the first in the lowest byte, with zeros for bytes beyond `end`.
inline uint64_t LoadEightBytes(const uint8_t* at, const uint8_t* end) {
  static_assert(std::endian::native == std::endian::little);
  uint64_t bytes = 0;
  if (end - at >= 8) {
    std::memcpy(&bytes, at, 8);
  } else {
    std::memcpy(&bytes, at, static_cast<size_t>(end - at));
  }
  return bytes;
}

[[gnu::always_inline]] inline AsciiWord ReadAsciiWord(const uint8_t* at, const uint8_t* end) {
  constexpr uint64_t kOnes = 0x0101010101010101;
  constexpr uint64_t kTops = 0x80 * kOnes;
  const uint64_t bytes = LoadEightBytes(at, end);
  const uint64_t low = bytes & ~kTops;
  const uint64_t lowered = low | 0x20 * kOnes;
  // For x < 0x80, the top bit of each byte of x + (0x80 − a)·ones is set exactly when x ≥ a.
  const auto at_least = [](uint64_t x, uint64_t a) { return x + (0x80 - a) * kOnes; };
  const uint64_t letters = at_least(lowered, 'a') & ~at_least(lowered, 'z' + 1);
  const uint64_t digits = at_least(low, '0') & ~at_least(low, '9' + 1);
  const uint64_t others = ~((letters | digits) & ~bytes) & kTops;
  const uint32_t bits = static_cast<uint32_t>(std::countr_zero(others)) & ~7U;
  const uint64_t cased = low | (letters & kTops) >> 2;
  return {bits == 64 ? cased : cased & ((1ULL << bits) - 1), bits / 8};
}

// What an ASCII character becomes on folded; kOperator is dropped before folded.v3.
enum class AsciiKind : uint8_t { kNone, kWord, kPoint, kDropped, kSymbol, kOperator };

// Indexed by byte; kNone for bytes that are not ASCII.
struct AsciiKindTable {
  AsciiKind of[256] = {};
  constexpr AsciiKindTable() {
    for (int c = 0; c < 0x80; ++c) {
      const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
      of[c] = is_letter || (c >= '0' && c <= '9') ? AsciiKind::kWord : AsciiKind::kDropped;
    }
    for (const char c : {'$', '+', '<', '=', '>', '^', '`', '|', '~'}) {
      of[static_cast<uint8_t>(c)] = AsciiKind::kSymbol;
    }
    for (const char c :
         {'!', '#', '%', '&', '*', '-', '/', ':', '?', '@', '[', '\\', ']', '_', '{', '}'}) {
      of[static_cast<uint8_t>(c)] = AsciiKind::kOperator;
    }
    of[static_cast<uint8_t>('.')] = of[static_cast<uint8_t>(',')] = AsciiKind::kPoint;
  }
};
inline constexpr AsciiKindTable kAsciiKinds;

inline AsciiKind KindOfByte(uint8_t byte) { return kAsciiKinds.of[byte]; }

}  // namespace zhiwen

#endif  // ZHIWEN_TEXT_ASCII_WORD_H_
