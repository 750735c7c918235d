#ifndef ZHIWEN_FINGERPRINT_SCHEME_FAMILY_H_
#define ZHIWEN_FINGERPRINT_SCHEME_FAMILY_H_

// The registry: one row for each family of schemes, from which names are completed, printed and
// described, and schemes are made. A family is in a file NAME_scheme.cc, kin in one.

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
  // Of its values (zhiwen/fingerprint_similarity.h); behind a '*' stands the main parameter.
  std::string_view measure;
  // From which similarity on the source takes two texts for copies, and in words; 0: it says none.
  double threshold = 0;
  std::string_view threshold_meaning = {};
  // `resources` has what the name needs. Fails: kInvalidArgument where parameters do not go
  // together; kConflict where resources do not.
  Result<std::unique_ptr<Scheme>> (*create)(const ResolvedName& name,
                                            const SchemeResources& resources);
};

extern const SchemeFamily kBbitMinhashScheme, kCharacterCodesScheme, kDscScheme, kExactScheme,
    kFeatureCodesScheme, kFrequentWordsScheme, kFullStopsScheme, kImatchScheme, kInitialsDnaScheme,
    kKeywordsScheme, kLongSentencesScheme, kMetadataScheme, kMinhashScheme, kPhonemesScheme,
    kShinglesScheme, kSimhash32Scheme, kSimhash64Scheme, kSimhash128Scheme, kSuperShinglesScheme,
    kVectorScheme, kWinnowingScheme;

// The threshold of families that ask for anything in common.
inline constexpr double kAnythingInCommon = 1e-9;

// In the order in which they are described.
std::span<const SchemeFamily* const> SchemeFamilies();

// The measure of a family for a scheme of it, by its canonical or short name.
std::string MeasureOf(const SchemeFamily& family, std::string_view scheme_name);

// The error of parameters that do not go together: `cannot use the scheme "NAME": WHY`.
tl::unexpected<Error> FailScheme(const ResolvedName& name, std::string_view why);

}  // namespace zhiwen

#endif  // ZHIWEN_FINGERPRINT_SCHEME_FAMILY_H_
