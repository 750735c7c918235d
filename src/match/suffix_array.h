#ifndef ZHIWEN_MATCH_SUFFIX_ARRAY_H_
#define ZHIWEN_MATCH_SUFFIX_ARRAY_H_

// Sorts the suffixes of a sequence by induced sorting: G. Nong, S. Zhang, W. H. Chan, "Linear
// Suffix Array Construction by Almost Pure Induced-Sorting", 2009. T. Kasai et al., "Linear-Time
// Longest-Common-Prefix Computation in Suffix Arrays", 2001.
//
// In          letters in [0, alphabet), fewer than 2³¹ of them
// Cost        linear in the length and the alphabet, whatever repeats
// Threads     free functions

#include <cstdint>
#include <span>
#include <vector>

namespace zhiwen {

// Returns the starts of all suffixes of `letters` in ascending order. A prefix of another suffix
// sorts before it.
std::vector<uint32_t> MakeSuffixArray(std::span<const uint32_t> letters, uint32_t alphabet);

// Returns, for each i, the length of the common prefix of the suffixes order[i − 1] and order[i]; 0
// for i = 0.
std::vector<uint32_t> MakeCommonPrefixes(std::span<const uint32_t> letters,
                                         std::span<const uint32_t> order);

}  // namespace zhiwen

#endif  // ZHIWEN_MATCH_SUFFIX_ARRAY_H_
