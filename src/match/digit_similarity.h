#ifndef ZHIWEN_MATCH_DIGIT_SIMILARITY_H_
#define ZHIWEN_MATCH_DIGIT_SIMILARITY_H_

// How close codes of digits are (fingerprint/dna_code.h): the L1 distance of two is the sum of the
// differences of their digits.
//
// In          codes of one width that DnaRadix knows, fewer than 2³² of a text
// Guarantees  integers until the last division: the same on every machine, and what holding every
//             code against every other would say (digit_similarity_test.cc)
// Cost        a look-up for a code that has an equal one. Each of the others is held against one
//             in eight of all, and against the seven beside those that are near enough: the product
//             of the numbers of codes of two texts that are unlike, at a tenth of a nanosecond
//             where neighbours are alike (overlap=1), at up to a nanosecond where they are not.
//             docs/formats/initials_dna.md has figures
// Fails       kInterrupted, kTerminated: after each code `cancellation` is looked at

#include <cstdint>
#include <vector>

#include "zhiwen/environment.h"
#include "zhiwen/fingerprint.h"
#include "zhiwen/result.h"

namespace zhiwen {

struct ClosestCode {
  size_t index = 0;       // of the first of the closest
  uint32_t distance = 0;  // L1

  friend bool operator==(const ClosestCode&, const ClosestCode&) = default;
};

// For each code of `stored` the closest of `query`, which has one at least. A query whose granules
// begin at every character (overlap=1) slides over what was stored at larger steps: what was copied
// is found wherever it stands, and a missing character changes but the granules around it.
Result<std::vector<ClosestCode>> FindClosestCodes(const CodeSequence& stored,
                                                  const CodeSequence& query,
                                                  const Cancellation& cancellation);

// 1 less the distance of each code of both to the closest of the other, on average, over the
// largest that there can be. 0 to 1, symmetric, 1 of equal sequences, 0 where one has no code.
Result<double> DigitSimilarity(const CodeSequence& a, const CodeSequence& b,
                               const Cancellation& cancellation);

}  // namespace zhiwen

#endif  // ZHIWEN_MATCH_DIGIT_SIMILARITY_H_
