#ifndef ZHIWEN_FINGERPRINT_PERCEPTUAL_HASH_H_
#define ZHIWEN_FINGERPRINT_PERCEPTUAL_HASH_H_

// A hash of 64 bits of a picture, which keeps most of its bits when the picture is scaled,
// recompressed, made brighter or grey: pHash, C. Zauner, Implementation and Benchmarking of
// Perceptual Image Hash Functions, 2010, §3.2.1.
//
// In          pixels
// Out         one bit a coefficient of the cosine transform of the picture's brightness, of the 8
//             by 8 lowest frequencies without the lowest row and column: whether it is above their
//             median. The first bit is the most significant, and rows follow one another
// Guarantees  integers alone, so that every machine finds the same bits
// Cost        once over the pixels
// Persisted   docs/formats/pictures.md

#include <cstdint>
#include <optional>

#include "zhiwen/picture.h"

namespace zhiwen {

// Returns nothing for a picture of one brightness.
std::optional<uint64_t> ComputePerceptualHash(const Picture& picture);

}  // namespace zhiwen

#endif  // ZHIWEN_FINGERPRINT_PERCEPTUAL_HASH_H_
