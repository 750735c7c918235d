#ifndef ZHIWEN_FINGERPRINT_DNA_CODE_H_
#define ZHIWEN_FINGERPRINT_DNA_CODE_H_

// Encodes the codes of initials_dna. A code has one digit for each of twenty letters, written as
// one number in the radix of the digits, most significant byte first.
//
// Persisted   docs/formats/initials_dna.md

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "zhiwen/fingerprint.h"

namespace zhiwen {

// The letters that initials of syllables begin with, without a, e and o. The first digit counts b.
inline constexpr std::string_view kDnaLetters = "bcdfghjklmnpqrstwxyz";

using DnaDigits = std::array<uint8_t, kDnaLetters.size()>;

// Returns the number of bytes of a code: 9, 8, 5 or 3 for the radix 10, 8, 4 or 2.
uint32_t DnaWidth(uint32_t radix);

// Returns the radix of codes of `width` bytes, or 0 where no codes have this width.
uint32_t DnaRadix(size_t width);

void AppendDnaCode(const DnaDigits& digits, uint32_t radix, FingerprintBytes& bytes);

// `code` must have DnaWidth(radix) bytes. For a number with more than twenty digits, returns the
// lowest twenty.
DnaDigits DigitsOfDna(std::span<const uint8_t> code, uint32_t radix);

}  // namespace zhiwen

#endif  // ZHIWEN_FINGERPRINT_DNA_CODE_H_
