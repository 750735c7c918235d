#ifndef ZHIWEN_FINGERPRINT_WINNOWING_H_
#define ZHIWEN_FINGERPRINT_WINNOWING_H_

// Winnowing: of every window of consecutive block hashes the smallest is kept, so that two texts
// that share a run of g units keep a block of it alike. 语义指纹提取的几种方法, 具体算法 (S0),
// steps 2 and 3; S. Schleimer, D. Wilkerson, A. Aiken, "Winnowing: Local Algorithms for Document
// Fingerprinting", 2003, §3.
//
// In          hashes of units (words or symbols), in order
// Guarantees  with blocks of k units and windows of g − k + 1 blocks, every run of g units that two
//             sequences share has a block that is selected in both (winnowing_test.cc); of equal
//             minima of a window the last
// Cost        linear whatever k and the window
// Threads     free functions

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace zhiwen {

// Replaces `hashes` by those of all runs of k consecutive units (k ≥ 1), in order: the polynomial
// of the units modulo 2⁶¹ − 1, the first unit the highest (R. Karp, M. Rabin, 1987). None for fewer
// than k units.
void ComputeBlockHashes(std::span<const uint64_t> units, size_t k, std::vector<uint64_t>& hashes);

// Replaces `selected` by the places of the smallest hashes of all windows of `window` (≥ 1)
// consecutive ones, ascending, each once. Of fewer hashes than a window none.
void SelectMinima(std::span<const uint64_t> hashes, size_t window, std::vector<size_t>& selected);

}  // namespace zhiwen

#endif  // ZHIWEN_FINGERPRINT_WINNOWING_H_
