#ifndef ZHIWEN_APPS_ZHIWEN_COMMANDS_CHOSEN_SCHEMES_H_
#define ZHIWEN_APPS_ZHIWEN_COMMANDS_CHOSEN_SCHEMES_H_

// Creates the schemes that the options of a command name, with the files they need.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "command_line/command.h"
#include "commands/term_files.h"
#include "zhiwen/evaluation.h"
#include "zhiwen/scheme.h"

namespace zhiwen {

struct ChosenSchemes {
  std::vector<std::string> names;                // as typed
  std::optional<std::string> channel, variants;  // for names without a channel
  SchemeFiles files;
  std::string key_file;  // empty when not given
};

// Returns the options --scheme, --channel, --variants, those of TermFileSpecs, --key-file and
// --phonemes.
std::vector<OptionSpec> ChosenSchemeSpecs(ChosenSchemes& chosen, std::string scheme_help);
// Returns the same options with shorter help, for a command that uses --channel for nothing else.
std::vector<OptionSpec> ChosenSchemeSpecs(ChosenSchemes& chosen);

// Returns --measure: one of SimilarityMeasures(), instead of the usual measure of each scheme.
OptionSpec MeasureOption(std::string& target);

// Creates one scheme for each name. Fails: as Scheme::Create and the files do; kInvalidArgument for
// a file that no scheme uses.
Result<std::vector<std::unique_ptr<Scheme>>> CreateSchemes(const ChosenSchemes& chosen,
                                                           LanguageFile& language);

// Creates the named schemes, with the names as typed. When none is named it creates all schemes of
// texts; `skipped` lists those that need a file that is not given or that have no channel for
// --channel.
struct MadeSchemes {
  std::vector<NamedScheme> schemes;
  std::vector<SkippedScheme> skipped;
};
Result<MadeSchemes> CreateNamedOrAll(const ChosenSchemes& chosen, LanguageFile& language);

}  // namespace zhiwen

#endif  // ZHIWEN_APPS_ZHIWEN_COMMANDS_CHOSEN_SCHEMES_H_
