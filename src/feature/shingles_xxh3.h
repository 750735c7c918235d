#ifndef ZHIWEN_FEATURE_SHINGLES_XXH3_H_
#define ZHIWEN_FEATURE_SHINGLES_XXH3_H_

// Shingles of any length, hashed by XXH3-64 over their symbols as little-endian 32-bit numbers: the
// form that other programs can make with a library, for stored fingerprints. Deduplication uses the
// faster hash of feature/shingles.h.
//
// In          32-bit symbols of a channel, 1…64 units a shingle
// Out         64-bit hashes, one per starting symbol, in order, repeats kept; none for a text under
//             `length` symbols

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace zhiwen {

// Replaces `hashes`.
void ComputeShinglesXxh3(std::span<const uint32_t> symbols, size_t length,
                         std::vector<uint64_t>& hashes);

}  // namespace zhiwen

#endif  // ZHIWEN_FEATURE_SHINGLES_XXH3_H_
