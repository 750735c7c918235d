#ifndef ZHIWEN_FINGERPRINT_PHONEME_VECTOR_H_
#define ZHIWEN_FINGERPRINT_PHONEME_VECTOR_H_

// The three phoneme vectors of a text in 63 bytes: the largest number of each becomes 255. That
// turns a vector a little; by how much at most is kept, so that who compares these instead of the
// counts knows what he may not exclude (index/vectors/phoneme_filter.h).
//
// Out         24 initials, 34 finals, 5 tones; for each of the three the angle in radians that it
//             was turned by, rounded up
// Guarantees  the bytes are the same on every machine

#include <array>
#include <cstdint>

#include "feature/phoneme_counts.h"

namespace zhiwen {

struct PhonemeVector {
  std::array<uint8_t, kPhonemeCount> bytes = {};  // zeros: the text has no phonemes
  std::array<float, 3> angles = {};
};

PhonemeVector QuantisePhonemes(const PhonemeCounts& counts);

}  // namespace zhiwen

#endif  // ZHIWEN_FINGERPRINT_PHONEME_VECTOR_H_
