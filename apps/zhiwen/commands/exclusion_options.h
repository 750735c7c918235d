#ifndef ZHIWEN_APPS_ZHIWEN_COMMANDS_EXCLUSION_OPTIONS_H_
#define ZHIWEN_APPS_ZHIWEN_COMMANDS_EXCLUSION_OPTIONS_H_

// Options that say which passages do not count: --exclude, --boilerplate and, against a library,
// --no-exclude, --author and --licence.

#include <string>
#include <vector>

#include "command_line/command.h"
#include "zhiwen/exclusion_reason.h"
#include "zhiwen/result.h"

namespace zhiwen {

struct ExclusionChoice {
  ExclusionReasons exclude = {}, count = {};  // as typed
  std::vector<std::string> forms = {};        // paths
  std::string author = {};
  std::vector<std::string> licences = {};

  // Returns the reasons that were asked for, also by naming what is excluded.
  ExclusionReasons Asked() const;
};

// A text is compared with one of these. A package is of a library, and keeps set phrases.
enum class ExclusionScope : uint8_t { kTwoTexts, kManyTexts, kLibrary, kPackage };

std::vector<OptionSpec> ExclusionSpecs(ExclusionScope scope, ExclusionChoice& choice);

// Fails: kInvalidArgument where a reason is both excluded and counted, or needs another option.
Status CheckExclusions(ExclusionScope scope, const ExclusionChoice& choice);

// Reads the form texts. Fails as ReadChosenText.
Result<std::vector<std::string>> ReadFormTexts(const ExclusionChoice& choice,
                                               const CommandContext& context);

}  // namespace zhiwen

#endif  // ZHIWEN_APPS_ZHIWEN_COMMANDS_EXCLUSION_OPTIONS_H_
