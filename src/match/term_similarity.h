#ifndef ZHIWEN_MATCH_TERM_SIMILARITY_H_
#define ZHIWEN_MATCH_TERM_SIMILARITY_H_

// Similarities of two lists of weighted terms, one definition each. A term that a list lacks has
// weight 0 there.
//
// In          no term twice, in any order
// Out         0 where a list has no weight at all; otherwise as each function says
// Guarantees  symmetric; a list with weights has similarity 1 with itself, except the dot product,
//             and the correlation of equal weights, which is 0
// Cost        n log n

#include <span>

#include "zhiwen/fingerprint.h"

namespace zhiwen {

using TermSpan = std::span<const WeightedTerm>;

// Σxy / √(Σx² Σy²), 0 to 1.
double TermCosine(TermSpan a, TermSpan b);

// Σ (x / Σx) (y / Σy), which is above 0 when a term is shared.
double TermDotProduct(TermSpan a, TermSpan b);

// Returns Pearson's correlation of the weights of all terms of either list, −1 to 1. It is 0 where
// it is undefined: when all weights of a list are equal.
double TermCorrelation(TermSpan a, TermSpan b);

// Σ min(x, y) / Σ √(xy) and Σ min(x, y) / Σ (x + y)/2, 0 to 1, where x and y are each weight's
// share of its list; 几何平均最小 and 算术平均最小 of 金哲凡 et al. 2017.
double TermGeometricMinimum(TermSpan a, TermSpan b);
double TermArithmeticMinimum(TermSpan a, TermSpan b);

// Σ exp(−¾ ((x − y) / s)²) / m over the m terms of either list, where x and y are each weight's
// share of its list; 指数相似系数. In the source, s is the spread of a term's weights in a corpus.
// Two lists do not tell it, so their mean (x + y)/2 is used here. A term of one list alone counts
// e⁻³, so that lists without a common term have this similarity.
double TermExponential(TermSpan a, TermSpan b);

// Returns the larger of the shares of one list in the other, at most 1, over terms with similar
// frequencies in both (x/y + y/x < 2.5). N. Shivakumar, H. Garcia-Molina, "SCAM: A Copy Detection
// Mechanism for Digital Documents", 1995, §4.
double TermScam(TermSpan a, TermSpan b);

}  // namespace zhiwen

#endif  // ZHIWEN_MATCH_TERM_SIMILARITY_H_
