#ifndef ZHIWEN_MATCH_TERM_SIMILARITY_H_
#define ZHIWEN_MATCH_TERM_SIMILARITY_H_

// The similarities of two lists of weighted terms, one definition each. A term that a list has not
// weighs 0 there.
//
// In          no term twice, in any order
// Out         0 where one has no weight at all; otherwise as said
// Guarantees  symmetric; of a list with weights and itself 1, but for the dot product, and
//             the correlation of equal weights, which is 0
// Cost        n log n

#include <span>

#include "zhiwen/fingerprint.h"

namespace zhiwen {

using TermSpan = std::span<const WeightedTerm>;

// Σxy / √(Σx² Σy²), 0 to 1.
double TermCosine(TermSpan a, TermSpan b);

// Σ (x / Σx) (y / Σy), above 0 where a term is shared.
double TermDotProduct(TermSpan a, TermSpan b);

// Of the weights of all terms that one of them has, −1 to 1; K. Pearson. 0 where it has no meaning:
// all of the weights of one are equal.
double TermCorrelation(TermSpan a, TermSpan b);

// Σ min(x, y) / Σ √(xy) and Σ min(x, y) / Σ (x + y)/2, of the weights' shares in their lists, 0 to
// 1; 几何平均最小, 算术平均最小 of 金哲凡 et al. 2017.
double TermGeometricMinimum(TermSpan a, TermSpan b);
double TermArithmeticMinimum(TermSpan a, TermSpan b);

// Σ exp(−¾ ((x − y) / s)²) / m over the m terms that one of them has, of the weights' shares in
// their lists; 指数相似系数. There s is how far a term's weights spread in a corpus, which two
// lists do not say: here it is their mean, (x + y)/2. A term of one list alone counts e⁻³, so that
// lists which share none have that.
double TermExponential(TermSpan a, TermSpan b);

// The larger share of one in the other, over terms that are about as frequent in both: 2.5 is above
// x/y + y/x. N. Shivakumar, H. Garcia-Molina, "SCAM: A Copy Detection Mechanism for Digital
// Documents", 1995, §4; at most 1.
double TermScam(TermSpan a, TermSpan b);

}  // namespace zhiwen

#endif  // ZHIWEN_MATCH_TERM_SIMILARITY_H_
