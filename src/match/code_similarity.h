#ifndef ZHIWEN_MATCH_CODE_SIMILARITY_H_
#define ZHIWEN_MATCH_CODE_SIMILARITY_H_

// The similarities of two sequences of codes, one definition each.
//
// In          codes of one width
// Out         0 to 1; 0 where a sequence has no code
// Guarantees  symmetric; of a sequence and itself 1, but for EqualPlaces of nothing but zeros: 0
// Cost        n log n

#include "zhiwen/fingerprint.h"

namespace zhiwen {

// The share of codes that stand at the same place in both; codes of zeros are equal to none.
double EqualPlaces(const CodeSequence& a, const CodeSequence& b);

// The share of the codes of both that lie in a run of two or more that both have; of single codes
// whether they are equal. 吴平博 et al. 2003, as 熊忠阳 et al. 2013, §6.1, tell it.
double ConsecutiveCodes(const CodeSequence& a, const CodeSequence& b);

// Twice the longest sequence that both have in order, over the codes of both; codes that are there
// twice count where they are first.
double CommonSubsequence(const CodeSequence& a, const CodeSequence& b);

// Distinct codes that both have, of those that one of them has.
double CodeResemblance(const CodeSequence& a, const CodeSequence& b);

}  // namespace zhiwen

#endif  // ZHIWEN_MATCH_CODE_SIMILARITY_H_
