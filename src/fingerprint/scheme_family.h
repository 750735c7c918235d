#ifndef ZHIWEN_FINGERPRINT_SCHEME_FAMILY_H_
#define ZHIWEN_FINGERPRINT_SCHEME_FAMILY_H_

// The registry: one row for each family of schemes, from which names are completed, printed and
// described, and schemes are made. A family is a file of its own, NAME_scheme.cc.

#include <memory>
#include <span>
#include <string_view>

#include "fingerprint/name_family.h"
#include "zhiwen/scheme.h"

namespace zhiwen {

struct SchemeFamily {
  NameFamily name;
  std::string_view source, input, value, distance, use_for, not_for;
  std::string_view measure;  // of its values (zhiwen/fingerprint_similarity.h)
  // `resources` has what the name needs. Fails: kInvalidArgument where parameters do not go
  // together; kConflict where resources do not.
  Result<std::unique_ptr<Scheme>> (*create)(const ResolvedName& name,
                                            const SchemeResources& resources);
};

extern const SchemeFamily kDscScheme, kExactScheme, kFeatureCodesScheme, kFrequentWordsScheme,
    kFullStopsScheme, kImatchScheme, kKeywordsScheme, kLongSentencesScheme, kMinhashScheme,
    kPhonemesScheme, kShinglesScheme, kSimhash32Scheme, kSimhash64Scheme, kSimhash128Scheme,
    kSuperShinglesScheme, kVectorScheme, kWinnowingScheme;

// In the order in which they are described.
std::span<const SchemeFamily* const> SchemeFamilies();

// The error of parameters that do not go together: `cannot use the scheme "NAME": WHY`.
tl::unexpected<Error> FailScheme(const ResolvedName& name, std::string_view why);

}  // namespace zhiwen

#endif  // ZHIWEN_FINGERPRINT_SCHEME_FAMILY_H_
