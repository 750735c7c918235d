#ifndef ZHIWEN_PIPELINE_LIBRARY_CODE_SCHEMES_H_
#define ZHIWEN_PIPELINE_LIBRARY_CODE_SCHEMES_H_

// The schemes by whose values the documents of a library are found. Each has an index of 64-bit
// codes (index/codes/): a value of at most 8 bytes is its own code, and distances mean what the
// scheme says; of any other value the code is a hash, and only equal codes mean something. Schemes
// of granules (fingerprint/granule_scheme.h) have an index of the keys of granules instead
// (index/postings/), so that documents are found by passages.
//
// Persisted   docs/formats/catalog.md

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fingerprint/granule_scheme.h"
#include "store/corpus_store.h"
#include "zhiwen/file_system.h"
#include "zhiwen/fingerprint.h"
#include "zhiwen/language.h"
#include "zhiwen/result.h"
#include "zhiwen/scheme.h"

namespace zhiwen {

// Names of indexes begin with one of these, and a number follows. A library made by an earlier
// version may have codes of a scheme of granules.
inline constexpr std::string_view kCodesIndex = "scheme", kGranulesIndex = "granules";

struct CodeScheme {
  std::string index;  // its name: "scheme1", "granules1"
  std::shared_ptr<const Scheme> scheme;
  SchemeResources resources = {};  // without language data

  bool has_granules() const { return index.starts_with(kGranulesIndex); }
  // There must be granules.
  const GranuleScheme& granules() const { return static_cast<const GranuleScheme&>(*scheme); }
};

// Makes a scheme of a name as people type it, of `resources` without language data, and with these
// when it needs them. Fails as Scheme::Create.
Result<std::unique_ptr<Scheme>> CreateLibraryScheme(std::string_view name,
                                                    const LanguageSource& language,
                                                    const SchemeResources& resources = {});

// Makes the scheme of an index of `settings.code_schemes`, with the copies of its files that the
// library has (resource_copies.h). Fails: kConflict where the library has values that the language
// data, or this version of zhiwen, does not give; as FindResources and CreateLibraryScheme.
Result<CodeScheme> OpenCodeScheme(FileSystem& files, const std::string& library,
                                  const CatalogSettings& settings, const std::string& index,
                                  const LanguageSource& language);
// Makes all of them, in their order.
Result<std::vector<CodeScheme>> OpenCodeSchemes(FileSystem& files, const std::string& library,
                                                const CatalogSettings& settings,
                                                const LanguageSource& language);

// Makes those of granules alone. Fails likewise.
Result<std::vector<CodeScheme>> OpenGranuleSchemes(FileSystem& files, const std::string& library,
                                                   const CatalogSettings& settings,
                                                   const LanguageSource& language);

// Returns the index of the scheme that `name` names: by its name as people type it, without files
// or with those of a scheme in `open`, or by its family alone where it is the only one of it.
// Fails: kNotFound, naming the schemes that the library has.
Result<std::string> FindCodeScheme(const CatalogSettings& settings, std::string_view name,
                                   const LanguageSource& language,
                                   std::span<const CodeScheme> open);

// Returns the family of a name: "keywords" of "keywords.v1(…)" and of "keywords(5)".
std::string_view FamilyOfName(std::string_view name);

// Returns the beginning of the name of a scheme's index.
std::string_view IndexNameOf(const Scheme& scheme);

// Returns whether a value is its own code.
bool IsOwnCode(const Fingerprint& value);

// Returns the code of a value; nothing where the text has none.
std::optional<uint64_t> CodeOf(const Fingerprint& value);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_LIBRARY_CODE_SCHEMES_H_
