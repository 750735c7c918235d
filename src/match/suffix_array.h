#ifndef ZHIWEN_MATCH_SUFFIX_ARRAY_H_
#define ZHIWEN_MATCH_SUFFIX_ARRAY_H_

// The suffixes of a sequence in ascending order, by induced sorting.
// G. Nong, S. Zhang, W. H. Chan, "Linear Suffix Array Construction by Almost Pure Induced-Sorting",
// 2009. T. Kasai et al., "Linear-Time Longest-Common-Prefix Computation in Suffix Arrays", 2001.
//
// In          letters in [0, alphabet), fewer than 2³¹ of them
// Cost        linear in the length and the alphabet, whatever repeats
// Threads     free functions

#include <cstdint>
#include <span>
#include <vector>

namespace zhiwen {

// Returns the starts of all suffixes of `letters` in ascending order; a prefix sorts before what it
// begins.
std::vector<uint32_t> MakeSuffixArray(std::span<const uint32_t> letters, uint32_t alphabet);

// Returns, for each i, how many letters the suffixes order[i − 1] and order[i] begin with in
// common; 0 for i = 0.
std::vector<uint32_t> MakeCommonPrefixes(std::span<const uint32_t> letters,
                                         std::span<const uint32_t> order);

}  // namespace zhiwen

#endif  // ZHIWEN_MATCH_SUFFIX_ARRAY_H_
