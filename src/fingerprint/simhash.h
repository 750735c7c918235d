#ifndef ZHIWEN_FINGERPRINT_SIMHASH_H_
#define ZHIWEN_FINGERPRINT_SIMHASH_H_

// SimHash: the hashes of a text's features vote on each of 64 bits. M. Charikar, "Similarity
// Estimation Techniques from Rounding Algorithms", 2002, §3; G. Manku, A. Jain, A. Das Sarma,
// "Detecting Near-Duplicates for Web Crawling", 2007, §2.
//
// In          64-bit hashes, one per occurrence of a feature: weight tf
// Out         64 bits; a bit is set when strictly more than half of the hashes have it
// Guarantees  the same bits for any order; a tie is 0
// Cost        64 additions a hash
// Persisted   simhash64.v1(…): docs/formats/simhash.md
// Not for     no features at all: there is no value then (Fingerprint::Kind::kNone)

#include <cstdint>
#include <span>

namespace zhiwen {

uint64_t ComputeSimhash64(std::span<const uint64_t> hashes);

}  // namespace zhiwen

#endif  // ZHIWEN_FINGERPRINT_SIMHASH_H_
