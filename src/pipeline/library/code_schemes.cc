#include "pipeline/library/code_schemes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "base/hash.h"

namespace zhiwen {

Result<std::unique_ptr<Scheme>> CreateLibraryScheme(std::string_view name,
                                                    const LanguageSource& language) {
  auto scheme = Scheme::Create(name);
  if (scheme || scheme.error().code != ErrorCode::kNotFound || !language) return scheme;
  ZHIWEN_ASSIGN_OR_RETURN(const std::shared_ptr<const Language> data, language());
  scheme = Scheme::Create(name, {.language = data});
  if (scheme || scheme.error().code != ErrorCode::kNotFound) return scheme;
  return Fail(ErrorCode::kNotFound,
              fmt::format("{}; a library keeps no such file, and finds documents by schemes that "
                          "need language data alone",
                          scheme.error().message));
}

Result<std::vector<CodeScheme>> OpenCodeSchemes(const CatalogSettings& settings,
                                                const LanguageSource& language) {
  std::vector<CodeScheme> schemes;
  for (const auto& [index, name] : settings.code_schemes) {
    auto scheme = CreateLibraryScheme(name, language);
    if (!scheme && scheme.error().code == ErrorCode::kConflict) {
      return Fail(ErrorCode::kConflict,
                  fmt::format("the library has values of other data or of another version: {}; "
                              "zhiwen library derive computes them anew",
                              scheme.error().message));
    }
    if (!scheme) return Fail(std::move(scheme));
    schemes.push_back({.index = index, .scheme = *std::move(scheme)});
  }
  return schemes;
}

std::string_view FamilyOfName(std::string_view name) {
  return name.substr(0, name.find_first_of(".("));
}

Result<std::string> FindCodeScheme(const CatalogSettings& settings, std::string_view name,
                                   const LanguageSource& language) {
  const auto scheme = CreateLibraryScheme(name, language);
  const std::string canonical = scheme ? (*scheme)->canonical_name() : std::string(name);
  std::vector<std::string_view> names, of_family;
  for (const auto& [index, kept] : settings.code_schemes) {
    if (kept == canonical) return index;
    names.push_back(kept);
    if (FamilyOfName(kept) == name) of_family.push_back(index);
  }
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
