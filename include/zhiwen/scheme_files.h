#ifndef ZHIWEN_SCHEME_FILES_H_
#define ZHIWEN_SCHEME_FILES_H_

// The files that schemes are made with beside their names: which words are terms, how much each
// weighs, and how often sounds are.
//
// Fails       kNotFound; kUnreadable, naming file and line; kConflict for a snapshot of another
//             format version

#include <memory>
#include <string>
#include <vector>

#include "zhiwen/file_system.h"
#include "zhiwen/language.h"
#include "zhiwen/result.h"
#include "zhiwen/scheme.h"

namespace zhiwen {

// Paths; empty where a file is not given.
struct SchemeFiles {
  std::vector<std::string> dictionaries = {};  // of a user's (docs/formats/user-files.md)
  std::string synonyms = {}, stop_words = {};  // likewise
  std::string df = {};                         // a TermSnapshot
  std::string phonemes = {};                   // a PhonemeSnapshot

  bool has_words() const { return !dictionaries.empty() || !synonyms.empty(); }
};

// Returns an extractor of terms that knows the words of the dictionaries and synonyms.
Result<std::shared_ptr<const TermExtractor>> OpenTerms(FileSystem& files, const SchemeFiles& given,
                                                       const LanguageSource& language);
// Returns the stop words of the file; without a file, zhiwen's own.
Result<std::shared_ptr<const StopWords>> OpenStopWords(FileSystem& files, const SchemeFiles& given);
// Opens the document frequencies; returns null when no file is given.
Result<std::shared_ptr<const TermSnapshot>> OpenSnapshot(FileSystem& files,
                                                         const SchemeFiles& given);

// Opens all that are given. `language` is asked for where there are dictionaries or synonyms, and
// is not part of the result.
Result<SchemeResources> OpenSchemeFiles(FileSystem& files, const SchemeFiles& given,
                                        const LanguageSource& language);

}  // namespace zhiwen

#endif  // ZHIWEN_SCHEME_FILES_H_
