#ifndef ZHIWEN_BASE_UTF8_WHITE_SPACE_H_
#define ZHIWEN_BASE_UTF8_WHITE_SPACE_H_

#include <cstdint>

namespace zhiwen {

// Returns whether \s of Python's regular expressions matches a code point.
constexpr bool IsPythonSpace(uint32_t code_point) {
  if (code_point < 0x80) {
    return code_point == ' ' || (code_point >= 0x09 && code_point <= 0x0D) ||
           (code_point >= 0x1C && code_point <= 0x1F);
  }
  return code_point == 0x85 || code_point == 0xA0 || code_point == 0x1680 ||
         (code_point >= 0x2000 && code_point <= 0x200A) || code_point == 0x2028 ||
         code_point == 0x2029 || code_point == 0x202F || code_point == 0x205F ||
         code_point == 0x3000;
}

// Returns whether a code point ends a line, and with it a paragraph.
constexpr bool IsLineEnd(uint32_t code_point) {
  return code_point == '\n' || code_point == '\r' || code_point == 0x85 || code_point == 0x2028 ||
         code_point == 0x2029;
}

}  // namespace zhiwen

#endif  // ZHIWEN_BASE_UTF8_WHITE_SPACE_H_
