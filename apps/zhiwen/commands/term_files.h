#ifndef ZHIWEN_APPS_ZHIWEN_COMMANDS_TERM_FILES_H_
#define ZHIWEN_APPS_ZHIWEN_COMMANDS_TERM_FILES_H_

// Opens the user's files that decide which words are terms and how much each term weighs.
//
// Fails       kNotFound; kUnreadable, naming file and line

#include <memory>
#include <string>
#include <vector>

#include "command_line/command.h"
#include "zhiwen/term_snapshot.h"
#include "zhiwen/terms.h"

namespace zhiwen {

struct TermFiles {
  std::vector<std::string> dictionaries;
  std::string synonyms, stop_words, df;  // empty when not given

  bool has_words() const { return !dictionaries.empty() || !synonyms.empty(); }
};

// Returns the options --df, --synonyms, --stopwords and --dict.
std::vector<OptionSpec> TermFileSpecs(TermFiles& files);

// Returns an extractor of terms that knows the words of the dictionaries and synonyms.
Result<std::shared_ptr<const TermExtractor>> OpenTerms(const TermFiles& files,
                                                       LanguageFile& language);
// Returns the stop words of the file; without a file, zhiwen's own.
Result<std::shared_ptr<const StopWords>> OpenStopWords(const TermFiles& files);
// Opens the snapshot; returns null when no file is given.
Result<std::shared_ptr<const TermSnapshot>> OpenSnapshot(const TermFiles& files);

}  // namespace zhiwen

#endif  // ZHIWEN_APPS_ZHIWEN_COMMANDS_TERM_FILES_H_
