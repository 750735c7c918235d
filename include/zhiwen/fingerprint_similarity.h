#ifndef ZHIWEN_FINGERPRINT_SIMILARITY_H_
#define ZHIWEN_FINGERPRINT_SIMILARITY_H_

// How alike two values of one scheme are.
//
// Out         0 to 1 (the correlation: from −1); 0 where one text has no value
// Guarantees  symmetric; of a value and itself 1, but for the dot product, and where a measure has
// no
//             meaning: 0 for the correlation of terms that all weigh the same, codes that are all
//             zeros, metadata without parts, phonemes that are all 0, and what has no element
// Cost        n log n, but for digit_l1: the product of the numbers of granules
//             (docs/formats/initials_dna.md)
// Threads     free functions
// Fails       kInvalidArgument: an unknown measure, or one that the values do not have ·
//             kInterrupted, kTerminated: at once, whatever the size of the values, of digit_l1

#include <optional>
#include <span>
#include <string_view>

#include "zhiwen/environment.h"
#include "zhiwen/fingerprint.h"
#include "zhiwen/result.h"

namespace zhiwen {

struct SimilarityMeasure {
  std::string_view name;     // "equal_bits"
  std::string_view of;       // which values have it: "values of fixed size"
  std::string_view meaning;  // "the share of bits that are equal"
};

// All there are.
std::span<const SimilarityMeasure> SimilarityMeasures();

// The measure that a scheme is meant for, by its canonical or short name; "equal" of one that does
// not exist.
std::string_view UsualMeasure(std::string_view scheme_name, const Fingerprint& value);

// From which similarity on the scheme's source takes two texts for copies; nothing where it does
// not say, or says it of another measure than `measure`.
std::optional<double> UsualThreshold(std::string_view scheme_name, std::string_view measure);

// `a` and `b` are of the same scheme.
Result<double> CompareFingerprints(const Fingerprint& a, const Fingerprint& b,
                                   std::string_view measure, const Cancellation& cancellation);

}  // namespace zhiwen

#endif  // ZHIWEN_FINGERPRINT_SIMILARITY_H_
