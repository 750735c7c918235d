#include "zhiwen/scheme.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "fingerprint/scheme_family.h"
#include "fingerprint/scheme_name.h"

namespace zhiwen {
namespace {

constexpr std::array kFamilies = {
    &kBbitMinhashScheme,   &kCharacterCodesScheme, &kColourGridScheme,    &kDscScheme,
    &kExactScheme,         &kFeatureCodesScheme,   &kFrequentWordsScheme, &kFullStopsScheme,
    &kImatchScheme,        &kInitialsDnaScheme,    &kKeywordsScheme,      &kLongSentencesScheme,
    &kMetadataScheme,      &kMinhashScheme,        &kPhash64Scheme,       &kPhonemesScheme,
    &kShinglesScheme,      &kSimhash32Scheme,      &kSimhash64Scheme,     &kSimhash128Scheme,
    &kSuperShinglesScheme, &kTagstrScheme,         &kVectorScheme,        &kWinnowingScheme};

Result<ResolvedName> ResolveSchemeName(std::string_view text, SchemeResources& resources) {
  static const auto kNames = [] {
    std::array<const NameFamily*, kFamilies.size()> names;
    for (size_t i = 0; i < names.size(); ++i) names[i] = &kFamilies[i]->name;
    return names;
  }();
  return ResolveName(text, {"scheme", kNames}, resources);
}

SchemeDescription Describe(const SchemeFamily& family, SchemeResources resources) {
  SchemeDescription description;
  description.name = family.name.name;
  description.family = fmt::format("{}.v{}", family.name.name, family.name.version);
  const Result<ResolvedName> name = ResolveSchemeName(family.name.name, resources);
  description.default_name = name ? name->Print() : std::string(family.name.name);
  description.source = family.source;
  description.input = family.input;
  description.value = family.value;
  description.distance = family.distance;
  description.measure = MeasureOf(family, family.name.name);
  description.threshold = family.threshold;
  description.threshold_meaning = family.threshold_meaning;
  description.use_for = family.use_for;
  description.not_for = family.not_for;
  for (const ParameterSpec& parameter : family.name.parameters) {
    const std::string full =
        name ? (*name)[parameter.name].text : std::string(parameter.default_value);
    const std::string typed =
        parameter.default_value.empty() ? full : std::string(parameter.default_value);
    description.parameters.push_back({.name = std::string(parameter.name),
                                      .type = DescribeType(parameter),
                                      .default_value = full,
                                      .typed_default = typed,
                                      .meaning = std::string(parameter.meaning)});
  }
  return description;
}

}  // namespace

std::span<const SchemeFamily* const> SchemeFamilies() { return kFamilies; }

std::string MeasureOf(const SchemeFamily& family, std::string_view scheme_name) {
  if (!family.measure.ends_with('*')) return std::string(family.measure);
  const NameFamily& name = family.name;
  std::string main(
      std::ranges::find(name.parameters, name.main_parameter, &ParameterSpec::name)->default_value);
  if (const Result<SchemeName> typed = ParseSchemeName(scheme_name)) {
    for (const SchemeArgument& argument : typed->arguments) {
      if (argument.key.empty() || argument.key == name.main_parameter) main = argument.value.word;
    }
  }
  return std::string(family.measure.substr(0, family.measure.size() - 1)) + main;
}

tl::unexpected<Error> FailScheme(const ResolvedName& name, std::string_view why) {
  return Fail(ErrorCode::kInvalidArgument,
              fmt::format("cannot use the scheme \"{}\": {}", name.Print(), why));
}

Result<Fingerprint> Scheme::ComputeDocument(const DocumentFields& document) const {
  return Compute(document.text);
}

Result<std::unique_ptr<Scheme>> Scheme::Create(std::string_view name, SchemeResources resources) {
  ZHIWEN_ASSIGN_OR_RETURN(const ResolvedName resolved, ResolveSchemeName(name, resources));
  for (const SchemeFamily* family : kFamilies) {
    if (&family->name == resolved.family) return family->create(resolved, resources);
  }
  return Fail(ErrorCode::kInternal, "a family of schemes is not in the registry");
}

std::vector<std::string> SchemeNames() {
  std::vector<std::string> names;
  names.reserve(kFamilies.size());
  for (const SchemeFamily* family : kFamilies) names.emplace_back(family->name.name);
  return names;
}

std::vector<SchemeDescription> DescribeSchemes(const SchemeResources& resources) {
  std::vector<SchemeDescription> descriptions;
  descriptions.reserve(kFamilies.size());
  for (const SchemeFamily* family : kFamilies) descriptions.push_back(Describe(*family, resources));
  return descriptions;
}

}  // namespace zhiwen
