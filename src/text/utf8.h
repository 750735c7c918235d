#ifndef ZHIWEN_TEXT_UTF8_H_
#define ZHIWEN_TEXT_UTF8_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "base/utf8.h"

namespace zhiwen {

// How many code points `utf8` (valid) has.
uint64_t CountCodePoints(std::string_view utf8);

// Appends the UTF-8 of `code_point` (below 0x110000).
void AppendUtf8(uint32_t code_point, std::string& text);

}  // namespace zhiwen

#endif  // ZHIWEN_TEXT_UTF8_H_
