#ifndef ZHIWEN_FINGERPRINT_SCHEME_FAMILY_H_
#define ZHIWEN_FINGERPRINT_SCHEME_FAMILY_H_

// The registry has one row for each family of schemes. Names are completed, printed and described
// from it, and schemes are created by it. A family is in a file NAME_scheme.cc; related families
// share one.

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "fingerprint/name_family.h"
#include "zhiwen/scheme.h"

namespace zhiwen {

struct SchemeFamily {
  NameFamily name;
  std::string_view source, input, value, distance, use_for, not_for;
  // The measure for its values (zhiwen/fingerprint_similarity.h); a '*' is replaced by the main
  // parameter.
  std::string_view measure;
  // The similarity from which on the source takes two texts for copies, and its meaning in words. 0
  // when the source states none.
  double threshold = 0;
  std::string_view threshold_meaning = {};
  // `resources` must have what the name needs. Fails: kInvalidArgument when parameters contradict
  // each other; kConflict when resources do.
  Result<std::unique_ptr<Scheme>> (*create)(const ResolvedName& name,
                                            const SchemeResources& resources);
};

extern const SchemeFamily kBbitMinhashScheme, kCharacterCodesScheme, kColourGridScheme, kDscScheme,
    kExactScheme, kFeatureCodesScheme, kFrequentWordsScheme, kFullStopsScheme, kImatchScheme,
    kInitialsDnaScheme, kKeywordsScheme, kLongSentencesScheme, kMetadataScheme, kMinhashScheme,
    kPhash64Scheme, kPhonemesScheme, kShinglesScheme, kSimhash32Scheme, kSimhash64Scheme,
    kSimhash128Scheme, kSuperShinglesScheme, kTagstrScheme, kVectorScheme, kWinnowingScheme;

// The threshold of families for which any common feature is a match.
inline constexpr double kAnythingInCommon = 1e-9;

// Returns the families in the order in which they are described.
std::span<const SchemeFamily* const> SchemeFamilies();

// Returns the measure of a family for one of its schemes, given by canonical or short name.
std::string MeasureOf(const SchemeFamily& family, std::string_view scheme_name);

// Returns the error for parameters that contradict each other: `cannot use the scheme "NAME": WHY`.
tl::unexpected<Error> FailScheme(const ResolvedName& name, std::string_view why);

}  // namespace zhiwen

#endif  // ZHIWEN_FINGERPRINT_SCHEME_FAMILY_H_
