#include "commands/chosen_schemes.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "command_line/option_values.h"
#include "commands/scheme_channel.h"
#include "zhiwen/file_system.h"
#include "zhiwen/fingerprint_similarity.h"
#include "zhiwen/phoneme_snapshot.h"
#include "zhiwen/term_snapshot.h"
#include "zhiwen/terms.h"

namespace zhiwen {
namespace {

constexpr size_t kLeastKeyBytes = 16;
constexpr uint64_t kMostKeyBytes = uint64_t{1} << 20;

// Reads the key, which is all bytes of the file.
Result<std::string> ReadKey(const std::string& path) {
  ZHIWEN_ASSIGN_OR_RETURN(std::string key, ReadWholeFile(PosixFileSystem(), path, kMostKeyBytes));
  if (key.size() >= kLeastKeyBytes) return key;
  return Fail(ErrorCode::kUnreadable,
              fmt::format("cannot use the key of \"{}\": it has {} bytes, and a key has at least "
                          "{}; head -c 32 /dev/urandom > FILE makes one",
                          path, key.size(), kLeastKeyBytes));
}

Result<SchemeResources> OpenResources(const ChosenSchemes& chosen, LanguageFile& language) {
  ZHIWEN_ASSIGN_OR_RETURN(const std::optional<Channel> channel,
                          language.OpenChosen(chosen.channel, chosen.variants));
  ZHIWEN_ASSIGN_OR_RETURN(
      SchemeResources resources,
      OpenSchemeFiles(PosixFileSystem(), chosen.files, [&] { return language.Open(); }));
  if (chosen.variants) resources.channel = channel;
  if (!chosen.key_file.empty()) {
    ZHIWEN_ASSIGN_OR_RETURN(resources.key, ReadKey(chosen.key_file));
  }
  return resources;
}

// Refuses a file that no scheme uses, because a user who names a file expects an effect.
Status RefuseIdleFiles(const SchemeResources& resources, const ChosenSchemes& chosen,
                       std::span<const NamedScheme> schemes) {
  const auto refuse = [&](std::string_view option, const std::string& name) -> Status {
    const bool is_used = std::ranges::any_of(schemes, [&](const NamedScheme& scheme) {
      return scheme.scheme->canonical_name().find(name) != std::string::npos;
    });
    if (is_used) return {};
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("no scheme here uses {}; leave it out, or name one that does (zhiwen "
                            "schemes)",
                            option));
  };
  const SchemeFiles& files = chosen.files;
  if (!files.phonemes.empty()) {
    ZHIWEN_RETURN_IF_ERROR(refuse("--phonemes", "reference=" + resources.phonemes->id()));
  }
  if (!files.df.empty()) ZHIWEN_RETURN_IF_ERROR(refuse("--df", "df=" + resources.snapshot->id()));
  if (!files.stop_words.empty()) {
    ZHIWEN_RETURN_IF_ERROR(refuse("--stopwords", "stop_words=" + resources.stop_words->id()));
  }
  if (!chosen.key_file.empty()) {
    ZHIWEN_RETURN_IF_ERROR(refuse("--key-file", "key=" + KeyId(resources.key)));
  }
  if (!files.has_words()) return {};
  return refuse(files.dictionaries.empty() ? "--synonyms" : "--dict", resources.terms->name());
}

Result<std::unique_ptr<Scheme>> CreateOne(const std::string& typed, const ChosenSchemes& chosen,
                                          const SchemeResources& resources,
                                          LanguageFile& language) {
  std::string name = typed;
  if (chosen.channel) {
    ZHIWEN_ASSIGN_OR_RETURN(name, AddChannel(typed, *chosen.channel));
  }
  return language.CreateScheme(name, resources);
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
  specs.push_back(Once(
      TextOption("--key-file", "FILE", chosen.key_file,
                 "File with a secret key, so that nobody else can compute the values (metadata)")));
  specs.push_back(PhonemesOption(chosen.files));
  return specs;
}

std::vector<OptionSpec> ChosenSchemeSpecs(ChosenSchemes& chosen) {
  std::vector<OptionSpec> specs =
      ChosenSchemeSpecs(chosen, "Scheme, by its short or full name; may be repeated");
  specs[1].help = "Channel for schemes whose name does not include one";
  return specs;
}

OptionSpec MeasureOption(std::string& target) {
  std::vector<std::string> names;
  for (const SimilarityMeasure& measure : SimilarityMeasures()) names.emplace_back(measure.name);
  OptionSpec option = ParsedOption("--measure", "NAME",
                                   "Measure of similarity (default: the usual one of each scheme)",
                                   target, [names](const std::string& text) -> Result<std::string> {
                                     if (std::ranges::find(names, text) == names.end())
                                       return NotAChoice(text, names);
                                     return text;
                                   });
  option.choices = std::move(names);
  return option;
}

Result<MadeSchemes> CreateNamedOrAll(const ChosenSchemes& chosen, LanguageFile& language) {
  ZHIWEN_ASSIGN_OR_RETURN(const SchemeResources resources, OpenResources(chosen, language));
  MadeSchemes made;
  for (const std::string& name : chosen.names.empty() ? SchemeNames() : chosen.names) {
    Result<std::unique_ptr<Scheme>> scheme = CreateOne(name, chosen, resources, language);
    if (scheme && chosen.names.empty() && (*scheme)->is_of_pictures()) continue;
    if (scheme) {
      made.schemes.push_back({name, *std::move(scheme)});
    } else if (chosen.names.empty()) {
      made.skipped.push_back({name, std::move(scheme).error().message});
    } else {
      return Fail(std::move(scheme));
    }
  }
  ZHIWEN_RETURN_IF_ERROR(RefuseIdleFiles(resources, chosen, made.schemes));
  return made;
}

Result<std::vector<std::unique_ptr<Scheme>>> CreateSchemes(const ChosenSchemes& chosen,
                                                           LanguageFile& language) {
  ZHIWEN_ASSIGN_OR_RETURN(MadeSchemes made, CreateNamedOrAll(chosen, language));
  std::vector<std::unique_ptr<Scheme>> schemes;
  schemes.reserve(made.schemes.size());
  for (NamedScheme& named : made.schemes) schemes.push_back(std::move(named.scheme));
  return schemes;
}

}  // namespace zhiwen
