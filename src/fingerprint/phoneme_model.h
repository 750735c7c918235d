#ifndef ZHIWEN_FINGERPRINT_PHONEME_MODEL_H_
#define ZHIWEN_FINGERPRINT_PHONEME_MODEL_H_

// What the models of phonemes (zhiwen/phoneme_snapshot.h) compute of counts.

#include "feature/phoneme_counts.h"
#include "zhiwen/phoneme_snapshot.h"

namespace zhiwen {

// In bits, of how often each is; 0 of nothing.
PhonemeTriple ComputeEntropies(const PhonemeCounts& counts);

// Each entropy as its share of all three.
PhonemeTriple WeightsOf(const PhonemeTriple& entropies);

// Of two texts; 0 where one has no phonemes.
PhonemeTriple ComputeCosines(const PhonemeCounts& a, const PhonemeCounts& b);

// Whether it may be a value of the scheme phonemes: it is of a size of theirs.
bool HasPhonemes(const Fingerprint& value);

// What such a value counts; of a quantised one the bytes.
PhonemeCounts PhonemesOf(const Fingerprint& value);

}  // namespace zhiwen

#endif  // ZHIWEN_FINGERPRINT_PHONEME_MODEL_H_
