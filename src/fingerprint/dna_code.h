#ifndef ZHIWEN_FINGERPRINT_DNA_CODE_H_
#define ZHIWEN_FINGERPRINT_DNA_CODE_H_

// The codes of initials_dna: a digit for each of twenty letters, as one number in the radix of the
// digits, most significant byte first.
//
// Persisted   docs/formats/initials_dna.md

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "zhiwen/fingerprint.h"

namespace zhiwen {

// What initials of syllables begin with, but for a, e and o; the first digit is that of b.
inline constexpr std::string_view kDnaLetters = "bcdfghjklmnpqrstwxyz";

using DnaDigits = std::array<uint8_t, kDnaLetters.size()>;

// The bytes of a code, by the radix 10, 8, 4 or 2: 9, 8, 5 or 3.
uint32_t DnaWidth(uint32_t radix);

// The radix of codes of `width` bytes; 0 where no codes have as many.
uint32_t DnaRadix(size_t width);

void AppendDnaCode(const DnaDigits& digits, uint32_t radix, FingerprintBytes& bytes);

// `code` has DnaWidth(radix) bytes; of one that no digits give, the lowest twenty.
DnaDigits DigitsOfDna(std::span<const uint8_t> code, uint32_t radix);

}  // namespace zhiwen

#endif  // ZHIWEN_FINGERPRINT_DNA_CODE_H_
