#ifndef ZHIWEN_INDEX_POSTINGS_FINGERPRINT_FEATURES_H_
#define ZHIWEN_INDEX_POSTINGS_FINGERPRINT_FEATURES_H_

// What a fingerprint is for an index of overlaps: selected shingles and sets of hashes are features
// as they are; a code of up to 8 bytes is the number, a longer one its XXH3-64; a term the XXH3-64
// of its bytes. Places are those of selected shingles and codes; sets and terms have 0.
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

// None for a text without a value.
Result<std::vector<FeatureAt>> FeaturesOfFingerprint(const Fingerprint& fingerprint);

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_POSTINGS_FINGERPRINT_FEATURES_H_
