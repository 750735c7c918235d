#include "chosen_schemes.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "scheme_channel.h"

namespace zhiwen {
namespace {

Result<SchemeResources> OpenResources(const ChosenSchemes& chosen, LanguageFile& language) {
  SchemeResources resources;
  ZHIWEN_ASSIGN_OR_RETURN(const std::optional<Channel> channel,
                          language.OpenChosen(chosen.channel, chosen.variants));
  if (chosen.variants) resources.channel = channel;
  ZHIWEN_ASSIGN_OR_RETURN(resources.snapshot, OpenSnapshot(chosen.files));
  ZHIWEN_ASSIGN_OR_RETURN(resources.stop_words, OpenStopWords(chosen.files));
  if (chosen.files.has_words()) {
    ZHIWEN_ASSIGN_OR_RETURN(resources.terms, OpenTerms(chosen.files, language));
  }
  return resources;
}

// A file that no scheme counts with was meant to be counted with.
Status RefuseIdleFiles(const SchemeResources& resources, const TermFiles& files,
                       std::span<const std::unique_ptr<Scheme>> schemes) {
  const auto refuse = [&](std::string_view option, const std::string& name) -> Status {
    const bool is_used = std::ranges::any_of(schemes, [&](const std::unique_ptr<Scheme>& scheme) {
      return scheme->canonical_name().find(name) != std::string::npos;
    });
    if (is_used) return {};
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("no scheme here uses {}; leave it out, or name one that does (zhiwen "
                            "schemes)",
                            option));
  };
  if (!files.df.empty()) ZHIWEN_RETURN_IF_ERROR(refuse("--df", "df=" + resources.snapshot->id()));
  if (!files.stop_words.empty()) {
    ZHIWEN_RETURN_IF_ERROR(refuse("--stopwords", "stop_words=" + resources.stop_words->id()));
  }
  if (!files.has_words()) return {};
  return refuse(files.dictionaries.empty() ? "--synonyms" : "--dict", resources.terms->name());
}

}  // namespace

std::vector<OptionSpec> ChosenSchemeSpecs(ChosenSchemes& chosen, std::string scheme_help) {
  std::vector<OptionSpec> specs = {{"-s,--scheme", "NAME", std::move(scheme_help),
                                    [&chosen](const std::string& text) {
                                      chosen.names.push_back(text);
                                      return Status();
                                    },
                                    SchemeNames()}};
  specs.back().repeat = Repeat::kEach;
  specs.push_back(ChannelOption(chosen.channel));
  specs.push_back(VariantsOption(chosen.variants));
  std::ranges::move(TermFileSpecs(chosen.files), std::back_inserter(specs));
  return specs;
}

Result<std::vector<std::unique_ptr<Scheme>>> CreateSchemes(const ChosenSchemes& chosen,
                                                           LanguageFile& language) {
  ZHIWEN_ASSIGN_OR_RETURN(const SchemeResources resources, OpenResources(chosen, language));
  std::vector<std::unique_ptr<Scheme>> schemes;
  for (const std::string& typed : chosen.names) {
    std::string name = typed;
    if (chosen.channel) {
      ZHIWEN_ASSIGN_OR_RETURN(name, AddChannel(typed, *chosen.channel));
    }
    ZHIWEN_ASSIGN_OR_RETURN(std::unique_ptr<Scheme> scheme, language.CreateScheme(name, resources));
    schemes.push_back(std::move(scheme));
  }
  ZHIWEN_RETURN_IF_ERROR(RefuseIdleFiles(resources, chosen.files, schemes));
  return schemes;
}

}  // namespace zhiwen
