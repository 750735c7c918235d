#include "pipeline/library/code_schemes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "base/hash.h"
#include "pipeline/library/resource_copies.h"
#include "zhiwen/scheme_files.h"

namespace zhiwen {

Result<std::unique_ptr<Scheme>> CreateLibraryScheme(std::string_view name,
                                                    const LanguageSource& language,
                                                    const SchemeResources& resources) {
  auto scheme = Scheme::Create(name, resources);
  if (scheme || scheme.error().code != ErrorCode::kNotFound || !language) return scheme;
  SchemeResources complete = resources;
  ZHIWEN_ASSIGN_OR_RETURN(complete.language, language());
  return Scheme::Create(name, std::move(complete));
}

Result<CodeScheme> OpenCodeScheme(FileSystem& files, const std::string& library,
                                  const CatalogSettings& settings, const std::string& index,
                                  const LanguageSource& language) {
  CodeScheme made = {.index = index, .scheme = nullptr};
  if (settings.code_files.contains(index)) {
    ZHIWEN_ASSIGN_OR_RETURN(const SchemeFiles copies,
                            FindResources(files, library, settings, index));
    ZHIWEN_ASSIGN_OR_RETURN(made.resources, OpenSchemeFiles(files, copies, language));
  }
  auto scheme = CreateLibraryScheme(settings.code_schemes.at(index), language, made.resources);
  if (!scheme && scheme.error().code == ErrorCode::kConflict) {
    return Fail(ErrorCode::kConflict,
                fmt::format("the library has values of other data or of another version: {}; "
                            "zhiwen library derive computes them anew",
                            scheme.error().message));
  }
  ZHIWEN_ASSIGN_OR_RETURN(made.scheme, std::move(scheme));
  return made;
}

Result<std::vector<CodeScheme>> OpenCodeSchemes(FileSystem& files, const std::string& library,
                                                const CatalogSettings& settings,
                                                const LanguageSource& language) {
  std::vector<CodeScheme> schemes;
  for (const auto& [index, name] : settings.code_schemes) {
    ZHIWEN_ASSIGN_OR_RETURN(CodeScheme scheme,
                            OpenCodeScheme(files, library, settings, index, language));
    schemes.push_back(std::move(scheme));
  }
  return schemes;
}

Result<std::vector<CodeScheme>> OpenGranuleSchemes(FileSystem& files, const std::string& library,
                                                   const CatalogSettings& settings,
                                                   const LanguageSource& language) {
  CatalogSettings of_granules = settings;
  std::erase_if(of_granules.code_schemes,
                [](const auto& one) { return !one.first.starts_with(kGranulesIndex); });
  return OpenCodeSchemes(files, library, of_granules, language);
}

std::string_view FamilyOfName(std::string_view name) {
  return name.substr(0, name.find_first_of(".("));
}

Result<std::string> FindCodeScheme(const CatalogSettings& settings, std::string_view name,
                                   const LanguageSource& language,
                                   std::span<const CodeScheme> open) {
  for (const auto& [index, kept] : settings.code_schemes) {
    if (kept == name) return index;
  }
  const auto scheme = CreateLibraryScheme(name, language);
  const std::string canonical = scheme ? (*scheme)->canonical_name() : std::string(name);
  std::vector<std::string_view> names, of_family;
  for (const auto& [index, kept] : settings.code_schemes) {
    if (kept == canonical) return index;
    names.push_back(kept);
    if (FamilyOfName(kept) == name) of_family.push_back(index);
  }
  std::vector<std::string_view> with_files;
  for (const CodeScheme& one : open) {
    if (!settings.code_files.contains(one.index)) continue;
    const auto made = CreateLibraryScheme(name, language, one.resources);
    if (made && (*made)->canonical_name() == one.scheme->canonical_name()) {
      with_files.push_back(one.index);
    }
  }
  if (with_files.size() == 1) return std::string(with_files.front());
  if (of_family.size() == 1) return std::string(of_family.front());
  if (names.empty()) {
    return Fail(ErrorCode::kNotFound,
                fmt::format("the library has values of no scheme; zhiwen library derive computes "
                            "those of {}",
                            canonical));
  }
  return Fail(ErrorCode::kNotFound,
              fmt::format("the library has no values of {}; it has {}; zhiwen library derive "
                          "computes others",
                          canonical, fmt::join(names, " and ")));
}

std::string_view IndexNameOf(const Scheme& scheme) {
  return dynamic_cast<const GranuleScheme*>(&scheme) == nullptr ? kCodesIndex : kGranulesIndex;
}

bool IsOwnCode(const Fingerprint& value) {
  const auto* const bytes = std::get_if<FingerprintBytes>(&value);
  return bytes != nullptr && bytes->size() <= sizeof(uint64_t);
}

std::optional<uint64_t> CodeOf(const Fingerprint& value) {
  if (!HasValue(value)) return std::nullopt;
  if (!IsOwnCode(value)) return HashBytes64(EncodeFingerprint("", value));
  uint64_t code = 0;
  for (const uint8_t byte : std::get<FingerprintBytes>(value)) code = code << 8 | byte;
  return code;
}

}  // namespace zhiwen
