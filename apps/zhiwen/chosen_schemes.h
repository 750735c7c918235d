#ifndef ZHIWEN_APPS_ZHIWEN_CHOSEN_SCHEMES_H_
#define ZHIWEN_APPS_ZHIWEN_CHOSEN_SCHEMES_H_

// The schemes that a command's options name, with what they are made with.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "command.h"
#include "term_files.h"
#include "zhiwen/evaluation.h"
#include "zhiwen/scheme.h"

namespace zhiwen {

struct ChosenSchemes {
  std::vector<std::string> names;                // as typed
  std::optional<std::string> channel, variants;  // of names that say none
  TermFiles files;
  std::string key_file;  // empty: none
  std::string phonemes;  // likewise
};

// The options --scheme, --channel, --variants, those of TermFileSpecs, --key-file and --phonemes.
std::vector<OptionSpec> ChosenSchemeSpecs(ChosenSchemes& chosen, std::string scheme_help);
// The same for a command to which --channel is nothing but the channel of such names.
std::vector<OptionSpec> ChosenSchemeSpecs(ChosenSchemes& chosen);

// --measure: one of SimilarityMeasures(), instead of those that schemes are meant for.
OptionSpec MeasureOption(std::string& target);

// One for each name. Fails: as the names and the files do; kInvalidArgument for a file that none of
// them uses.
Result<std::vector<std::unique_ptr<Scheme>>> CreateSchemes(const ChosenSchemes& chosen,
                                                           LanguageFile& language);

// The same, by the names as typed; where none is named, all there are, but for those that cannot be
// made as they need a file that is not given, or have no channel for --channel: `skipped` says why.
struct MadeSchemes {
  std::vector<NamedScheme> schemes;
  std::vector<SkippedScheme> skipped;
};
Result<MadeSchemes> CreateNamedOrAll(const ChosenSchemes& chosen, LanguageFile& language);

}  // namespace zhiwen

#endif  // ZHIWEN_APPS_ZHIWEN_CHOSEN_SCHEMES_H_
