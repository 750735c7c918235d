#ifndef ZHIWEN_FEATURE_SHINGLES_H_
#define ZHIWEN_FEATURE_SHINGLES_H_

// Shingles: the hashes of all runs of kShingleLength consecutive symbols.
//
// In          32-bit symbols of a channel
// Out         64-bit hashes, one per starting symbol; sets are ascending and distinct
// Guarantees  the same bits on every machine and instruction set (docs/formats/shingles.md);
//             uniform over 64 bits, so that the top bits can choose a bucket

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace zhiwen {

inline constexpr size_t kShingleLength = 5;

// Replaces `hashes` by the shingles of `symbols`, in order, repeats kept; none for a text under
// kShingleLength symbols.
void ComputeShingles(std::span<const uint32_t> symbols, std::vector<uint64_t>& hashes);

// Sorts `hashes` ascending and removes repeats. Linear for hashes that are uniform over 64 bits;
// `scratch` keeps its memory between calls.
void MakeShingleSet(std::vector<uint64_t>& hashes, std::vector<uint64_t>& scratch);

}  // namespace zhiwen

#endif  // ZHIWEN_FEATURE_SHINGLES_H_
