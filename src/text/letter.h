#ifndef ZHIWEN_TEXT_LETTER_H_
#define ZHIWEN_TEXT_LETTER_H_

#include <cstdint>

namespace zhiwen {

// Returns whether a code point of any script is a letter, a Han character, a syllable or a digit,
// and not punctuation, a symbol, a mark or white space.
bool IsLetterOrDigit(uint32_t code_point);

}  // namespace zhiwen

#endif  // ZHIWEN_TEXT_LETTER_H_
