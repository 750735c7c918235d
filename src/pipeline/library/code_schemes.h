#ifndef ZHIWEN_PIPELINE_LIBRARY_CODE_SCHEMES_H_
#define ZHIWEN_PIPELINE_LIBRARY_CODE_SCHEMES_H_

// The schemes by whose values the documents of a library are found. Each has an index of 64-bit
// codes (index/codes/): a value of at most 8 bytes is its own code, and distances mean what the
// scheme says; of any other value the code is a hash, and only equal codes mean something.
//
// Persisted   docs/formats/catalog.md

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "store/corpus_store.h"
#include "zhiwen/fingerprint.h"
#include "zhiwen/language.h"
#include "zhiwen/result.h"
#include "zhiwen/scheme.h"

namespace zhiwen {

struct CodeScheme {
  std::string index;  // its name: "scheme1"
  std::shared_ptr<const Scheme> scheme;
};

// Makes a scheme of a name as people type it, with the language data when it needs them. Fails as
// Scheme::Create: also kNotFound where it needs more than language data, which a library does not
// keep.
Result<std::unique_ptr<Scheme>> CreateLibraryScheme(std::string_view name,
                                                    const LanguageSource& language);

// Makes the schemes of `settings.code_schemes` in their order. Fails: kConflict where the library
// has values that the language data, or this version of zhiwen, does not give; as
// CreateLibraryScheme.
Result<std::vector<CodeScheme>> OpenCodeSchemes(const CatalogSettings& settings,
                                                const LanguageSource& language);

// Returns the index of the scheme that `name` names: by its name as people type it, or by its
// family alone where it is the only one of it. Fails: kNotFound, naming the schemes that the
// library has.
Result<std::string> FindCodeScheme(const CatalogSettings& settings, std::string_view name,
                                   const LanguageSource& language);

// Returns the family of a name: "keywords" of "keywords.v1(…)" and of "keywords(5)".
std::string_view FamilyOfName(std::string_view name);

// Returns whether a value is its own code.
bool IsOwnCode(const Fingerprint& value);

// Returns the code of a value; nothing where the text has none.
std::optional<uint64_t> CodeOf(const Fingerprint& value);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_LIBRARY_CODE_SCHEMES_H_
