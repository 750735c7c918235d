#ifndef ZHIWEN_TEXT_PHRASE_STOPS_H_
#define ZHIWEN_TEXT_PHRASE_STOPS_H_

// Stops are line ends and the marks of sentences and clauses, which no phrase crosses. A character
// that folded drops is a stop when its folding contains one of 。、.!?;:, or U+000A.
//
// Threads     free functions

#include <cstdint>
#include <string_view>

#include "base/utf8/utf8.h"

namespace zhiwen {

inline bool IsAsciiStop(uint32_t code_point) {
  constexpr uint64_t kStops = uint64_t{1} << '\n' | uint64_t{1} << '!' | uint64_t{1} << ',' |
                              uint64_t{1} << '.' | uint64_t{1} << ':' | uint64_t{1} << ';' |
                              uint64_t{1} << '?';
  return code_point < 64 && (kStops >> code_point & 1) != 0;
}

// Returns whether a code point that folded drops is a stop.
bool IsStop(uint32_t code_point);

// Returns whether a stop is in [at, end), which folded drops. The range is empty where `end` is
// before `at`.
inline bool HasStop(const uint8_t* at, const uint8_t* end) {
  while (at < end) {
    const DecodedCodePoint decoded = DecodeCodePoint(at, end);
    if (decoded.code_point < 0x80 ? IsAsciiStop(decoded.code_point) : IsStop(decoded.code_point)) {
      return true;
    }
    at += decoded.length;
  }
  return false;
}

// Returns whether a stop lies between two units of a word. Stops before and after the word do not
// count.
bool IsPartedByStop(std::string_view word);

}  // namespace zhiwen

#endif  // ZHIWEN_TEXT_PHRASE_STOPS_H_
