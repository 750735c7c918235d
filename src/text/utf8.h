#ifndef ZHIWEN_TEXT_UTF8_H_
#define ZHIWEN_TEXT_UTF8_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "base/utf8.h"

namespace zhiwen {

// Whether a byte goes on with a character.
inline bool IsContinuation(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

// How many code points `utf8` (valid) has.
uint64_t CountCodePoints(std::string_view utf8);

// Calls take(byte) for the bytes of `code_point` (below 0x110000) in UTF-8.
template <typename Take>
[[gnu::always_inline]] inline void ForEachUtf8Byte(uint32_t code_point, const Take& take) {
  if (code_point < 0x80) return take(code_point);
  if (code_point < 0x800) {
    take(0xC0 | code_point >> 6);
  } else {
    if (code_point < 0x10000) {
      take(0xE0 | code_point >> 12);
    } else {
      take(0xF0 | code_point >> 18);
      take(0x80 | (code_point >> 12 & 0x3F));
    }
    take(0x80 | (code_point >> 6 & 0x3F));
  }
  take(0x80 | (code_point & 0x3F));
}

// Appends them.
void AppendUtf8(uint32_t code_point, std::string& text);

}  // namespace zhiwen

#endif  // ZHIWEN_TEXT_UTF8_H_
