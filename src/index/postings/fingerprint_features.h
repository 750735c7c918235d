#ifndef ZHIWEN_INDEX_POSTINGS_FINGERPRINT_FEATURES_H_
#define ZHIWEN_INDEX_POSTINGS_FINGERPRINT_FEATURES_H_

// Converts a fingerprint to features for an index of overlaps. Selected shingles and sets of hashes
// are features as they are; a code of up to 8 bytes becomes its number, a longer one its XXH3-64; a
// term becomes the XXH3-64 of its bytes. Selected shingles and codes keep their places; sets and
// terms have the place 0.
//
// In          values of one scheme, in one index
// Cost        time and memory for each hash, code or term
// Threads     free function
// Fails       kInvalidArgument for bytes, which are compared by their bits; kExhausted for a place
//             beyond 32 bits
// Persisted   docs/formats/postings.md

#include <vector>

#include "index/postings/overlap_index.h"
#include "zhiwen/fingerprint.h"
#include "zhiwen/result.h"

namespace zhiwen {

// Returns no features for a text without a value.
Result<std::vector<FeatureAt>> FeaturesOfFingerprint(const Fingerprint& fingerprint);

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_POSTINGS_FINGERPRINT_FEATURES_H_
