#ifndef ZHIWEN_FINGERPRINT_PERMUTATIONS_H_
#define ZHIWEN_FINGERPRINT_PERMUTATIONS_H_

// The permutations of 32-bit numbers that MinHash minimises over: x ↦ (x ^ key) · multiplier, with
// an odd multiplier. The exclusive or keeps two permutations from being affine images of each
// other, which would correlate their minima.
//
// Guarantees  the same numbers for a seed on every machine (docs/formats/minhash.md); the first n
//             of a longer sequence equal a sequence of n

#include <cstdint>
#include <vector>

namespace zhiwen {

struct Permutations {
  std::vector<uint32_t> multipliers;
  std::vector<uint32_t> keys;
};

Permutations MakePermutations(uint32_t count, uint64_t seed);

}  // namespace zhiwen

#endif  // ZHIWEN_FINGERPRINT_PERMUTATIONS_H_
