#ifndef ZHIWEN_FINGERPRINT_PHONEME_MODEL_H_
#define ZHIWEN_FINGERPRINT_PHONEME_MODEL_H_

// Computations on counts for the models of phonemes (zhiwen/phoneme_snapshot.h).

#include "feature/phoneme_counts.h"
#include "zhiwen/phoneme_snapshot.h"

namespace zhiwen {

// Returns the entropies in bits of the initials, finals and tones; 0 when nothing was counted.
PhonemeTriple ComputeEntropies(const PhonemeCounts& counts);

// Returns each entropy as its share of the sum of all three.
PhonemeTriple WeightsOf(const PhonemeTriple& entropies);

// Returns the cosines of two texts; 0 where a text has no phonemes.
PhonemeTriple ComputeCosines(const PhonemeCounts& a, const PhonemeCounts& b);

// Returns whether `value` may be a value of the scheme phonemes, by its size.
bool HasPhonemes(const Fingerprint& value);

// Returns the counts of such a value; for a quantized value, its bytes.
PhonemeCounts PhonemesOf(const Fingerprint& value);

}  // namespace zhiwen

#endif  // ZHIWEN_FINGERPRINT_PHONEME_MODEL_H_
