#ifndef ZHIWEN_APPS_ZHIWEN_COMMANDS_TERM_FILES_H_
#define ZHIWEN_APPS_ZHIWEN_COMMANDS_TERM_FILES_H_

// The options that name the user's files which decide which words are terms and how much each term
// weighs.

#include <vector>

#include "command_line/command.h"
#include "zhiwen/scheme_files.h"

namespace zhiwen {

// Returns the options --df, --synonyms, --stopwords and --dict.
std::vector<OptionSpec> TermFileSpecs(SchemeFiles& files);
// Returns --phonemes.
OptionSpec PhonemesOption(SchemeFiles& files);

}  // namespace zhiwen

#endif  // ZHIWEN_APPS_ZHIWEN_COMMANDS_TERM_FILES_H_
