#ifndef ZHIWEN_INDEX_JOINS_SAMPLED_SHINGLES_H_
#define ZHIWEN_INDEX_JOINS_SAMPLED_SHINGLES_H_

// Chooses the shingles that represent a set in the search for its containers. A. Broder, "On the
// resemblance and containment of documents", 1997, §4 (modulo sampling): the value of a shingle
// decides, so that two texts choose the same ones among those that they share.
//
// A small document may lie in a huge one, so the two play different parts. Every document *answers*
// with all shingles up to one bound, a share `answer_rate` of its set. It *asks* only with those up
// to a bound of its own: a small document with all that it answers with, a large one with about
// 25.6 / threshold of them. A container of any size that shares an asking shingle answers with it,
// and a pair of any sizes shares a bounded number of asks.
//
// Theorem. Let hashes be uniform, n = |S(d)|, s = |S(d) ∩ S(k)| ≥ ⌈t·n⌉, and r(n) the rate at which
// d asks. Of its asks X ~ Binomial(s, r) are shared and Y ~ Binomial(n − s, r) are not. The pair
// reaches RequiredAnswers(n, X + Y) unless X is 0, with probability
//     P = (1 − r)^s,
// or, given X + Y = a, X is below the a-quantile that RequiredAnswers takes, with probability at
// most kBoundMiss = 0.0005 (X given a is hypergeometric). So it is found with probability at least
// 1 − (1 − r)^s − 0.0005, and MissProbability gives the exact figure. With the defaults (t = 0.8,
// answer_rate 17/64) that is
//     n        20      25      30      50      100     1000    10⁶
//     recall   0.9928  0.9978  0.9993  0.9998  0.9998  0.9997  0.9997
// Documents of fewer than kLeastContainedSize shingles take no part.
//
// In          shingle sets, ascending and distinct, hashes uniform over 64 bits
// Out         the sample, which is the beginning of the set, and how many of its shingles ask
// Guarantees  the same sample on every machine; recall as above, before hot shingles are cut
//             (index/joins/containment_pairs.h says what that costs)
// Cost        two binary searches a set. A document has answer_rate · |S| rows, with the defaults
//             3.5 bytes of scratch a shingle, and about 32 asks, hardly ever 66
// Threads     const after Create: share freely
// Fails       Create: threshold outside (0, 1], recall outside (0, 1) → kInvalidArgument
// Not for     resemblance: bands need a thousandth of the rows

#include <cstddef>
#include <cstdint>
#include <span>

#include "zhiwen/result.h"

namespace zhiwen {

// The shingles with which a document takes part in the search, as views of its set.
struct ShingleSample {
  std::span<const uint64_t> answers;
  std::span<const uint64_t> asks;  // the first of `answers`
};

struct ShingleSamplingOptions {
  double threshold = 0.8;
  // The recall for a document of kLeastContainedSize shingles at the threshold; the answer rate
  // follows from it.
  double least_recall = 0.99;
  // The number of asks expected of a large document; 0 means 25.6 / threshold.
  uint32_t asks = 0;
};

class ShingleSampling {
 public:
  static Result<ShingleSampling> Create(const ShingleSamplingOptions& options);

  // Makes every shingle ask and answer, so that the candidates are those of an exact join.
  static Result<ShingleSampling> CreateExact(double threshold);

  double threshold() const { return threshold_; }

  // Returns whether every shingle asks and answers.
  bool is_exact() const { return asks_ == 0; }

  // Returns the share of a document's shingles that answer, a multiple of 1/64.
  double answer_rate() const { return static_cast<double>(answer_rate_64ths_) / 64; }
  // Returns the greatest shingle that answers. Partitions of rows by hash divide [0, this].
  uint64_t answer_bound() const { return answer_bound_; }

  // Returns the greatest shingle with which a set of `size` ≥ kLeastContainedSize asks.
  uint64_t AskBound(uint64_t size) const;

  // Returns views into `set`, both empty below kLeastContainedSize.
  ShingleSample Sample(std::span<const uint64_t> set) const { return SampleOf(set, set.size()); }
  // Does the same for a set of `size` shingles, of which `beginning` holds those up to
  // answer_bound().
  ShingleSample SampleOf(std::span<const uint64_t> beginning, uint64_t size) const;

  // Returns how many of the `asks` asks of a set of `size` a container must answer, at least 1. At
  // most 0.0005 of the pairs at the threshold answer fewer. Takes some 100 multiplications.
  uint32_t RequiredAnswers(uint64_t size, uint64_t asks) const;

  // Returns the probability that a pair with |S(d)| = size and this many shared shingles is not a
  // candidate, when no shingle is hot. Takes milliseconds, so it is for reports and tests.
  double MissProbability(uint64_t size, uint64_t shared) const;

 private:
  ShingleSampling() = default;

  double threshold_ = 1;
  uint32_t answer_rate_64ths_ = 64;
  uint64_t answer_bound_ = UINT64_MAX;
  uint64_t asks_ = 0;  // expected for a large document; 0 for all
};

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_JOINS_SAMPLED_SHINGLES_H_
