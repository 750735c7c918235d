#ifndef ZHIWEN_MATCH_CODE_SIMILARITY_H_
#define ZHIWEN_MATCH_CODE_SIMILARITY_H_

// Similarities of two sequences of codes, one definition each.
//
// In          codes of one width
// Out         0 to 1; 0 where a sequence has no code
// Guarantees  symmetric; a sequence has similarity 1 with itself, except EqualPlaces of codes that
//             are all zeros, which is 0
// Cost        n log n

#include "zhiwen/fingerprint.h"

namespace zhiwen {

// Returns the share of places at which both sequences have the same code. Codes of zeros equal no
// code.
double EqualPlaces(const CodeSequence& a, const CodeSequence& b);

// Returns the share of the codes of both sequences that lie in a run of two or more codes which
// both contain. For two sequences of one code, returns whether the codes are equal. 吴平博 et al.
// 2003, as described by 熊忠阳 et al. 2013, §6.1.
double ConsecutiveCodes(const CodeSequence& a, const CodeSequence& b);

// Returns twice the length of the longest common subsequence, divided by the number of codes of
// both sequences. Only the first occurrence of a repeated code counts.
double CommonSubsequence(const CodeSequence& a, const CodeSequence& b);

// Returns the number of distinct codes in both sequences, divided by the number in at least one.
double CodeResemblance(const CodeSequence& a, const CodeSequence& b);

}  // namespace zhiwen

#endif  // ZHIWEN_MATCH_CODE_SIMILARITY_H_
