#ifndef ZHIWEN_DOCUMENT_OFFICE_NUMERALS_H_
#define ZHIWEN_DOCUMENT_OFFICE_NUMERALS_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace zhiwen {

// Returns a number of a list as Word writes it in one of the formats of ECMA-376, 17.18.59:
// "chineseCounting" makes 十二 of 12, "upperRoman" XII. Empty for "bullet" and "none". Numbers that
// a format has no form for, and formats of other languages than Chinese, Japanese and English, are
// decimal.
std::string FormatNumeral(int64_t number, std::string_view format);

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENT_OFFICE_NUMERALS_H_
