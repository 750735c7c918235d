#ifndef ZHIWEN_APPS_ZHIWEN_TERM_FILES_H_
#define ZHIWEN_APPS_ZHIWEN_TERM_FILES_H_

// The files of users that say what terms are and how much each counts.
//
// Fails       as the files do: kNotFound, kUnreadable naming file and line

#include <memory>
#include <string>
#include <vector>

#include "command.h"
#include "zhiwen/term_snapshot.h"
#include "zhiwen/terms.h"

namespace zhiwen {

struct TermFiles {
  std::vector<std::string> dictionaries;
  std::string synonyms, stop_words, df;  // empty: not given

  bool has_words() const { return !dictionaries.empty() || !synonyms.empty(); }
};

// The options --df, --synonyms, --stopwords and --dict.
std::vector<OptionSpec> TermFileSpecs(TermFiles& files);

// What cuts texts into terms, with the words of the dictionaries and synonyms.
Result<std::shared_ptr<const TermExtractor>> OpenTerms(const TermFiles& files,
                                                       LanguageFile& language);
// Those of the file, or the usual ones.
Result<std::shared_ptr<const StopWords>> OpenStopWords(const TermFiles& files);
// Null where no file is given.
Result<std::shared_ptr<const TermSnapshot>> OpenSnapshot(const TermFiles& files);

}  // namespace zhiwen

#endif  // ZHIWEN_APPS_ZHIWEN_TERM_FILES_H_
