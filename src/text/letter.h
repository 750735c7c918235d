#ifndef ZHIWEN_TEXT_LETTER_H_
#define ZHIWEN_TEXT_LETTER_H_

#include <cstdint>

namespace zhiwen {

// Whether a code point is a letter, a Han character, a syllable or a digit, of any script: neither
// punctuation nor a symbol, a mark or white space.
bool IsLetterOrDigit(uint32_t code_point);

}  // namespace zhiwen

#endif  // ZHIWEN_TEXT_LETTER_H_
