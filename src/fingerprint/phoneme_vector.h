#ifndef ZHIWEN_FINGERPRINT_PHONEME_VECTOR_H_
#define ZHIWEN_FINGERPRINT_PHONEME_VECTOR_H_

// Quantizes the three phoneme vectors of a text to 63 bytes: the largest count of each becomes 255.
// This turns a vector by a small angle. An upper bound of the angle is kept, so that a search that
// compares these vectors instead of the counts knows which texts it must not exclude
// (index/vectors/phoneme_filter.h).
//
// Out         24 initials, 34 finals, 5 tones; for each of the three vectors the angle in radians
//             by which it was turned, rounded up
// Guarantees  the bytes are the same on every machine

#include <array>
#include <cstdint>

#include "feature/phoneme_counts.h"

namespace zhiwen {

struct PhonemeVector {
  std::array<uint8_t, kPhonemeCount> bytes = {};  // all zeros when the text has no phonemes
  std::array<float, 3> angles = {};
};

PhonemeVector QuantisePhonemes(const PhonemeCounts& counts);

}  // namespace zhiwen

#endif  // ZHIWEN_FINGERPRINT_PHONEME_VECTOR_H_
