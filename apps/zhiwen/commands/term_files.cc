#include "commands/term_files.h"

#include <utility>

#include "zhiwen/file_system.h"
#include "zhiwen/segmenter.h"

namespace zhiwen {

std::vector<OptionSpec> TermFileSpecs(TermFiles& files) {
  return {
      Once(TextOption("--df", "FILE", files.df,
                      "Document frequencies, written by zhiwen terms build")),
      Once(TextOption(
          "--synonyms", "FILE", files.synonyms,
          "Synonyms; each line has the word to use, a tab, and the words that it replaces")),
      Once(TextOption("--stopwords", "FILE", files.stop_words,
                      "Words that are never keywords, one per line, instead of the built-in list")),
      DictionariesOption(files.dictionaries,
                         "User dictionary in the format of jieba; may be repeated")};
}

Result<std::shared_ptr<const TermExtractor>> OpenTerms(const TermFiles& files,
                                                       LanguageFile& language) {
  ZHIWEN_ASSIGN_OR_RETURN(std::vector<UserFile> dictionaries,
                          ReadUserFiles(PosixFileSystem(), files.dictionaries));
  std::shared_ptr<const Synonyms> synonyms;
  if (!files.synonyms.empty()) {
    ZHIWEN_ASSIGN_OR_RETURN(const UserFile file, ReadUserFile(PosixFileSystem(), files.synonyms));
    ZHIWEN_ASSIGN_OR_RETURN(synonyms, Synonyms::Parse(file));
    dictionaries.push_back(synonyms->canonical_words());
  }
  ZHIWEN_ASSIGN_OR_RETURN(const std::shared_ptr<const Language> data, language.Open());
  ZHIWEN_ASSIGN_OR_RETURN(std::shared_ptr<const Segmenter> segmenter,
                          Segmenter::Create(data, dictionaries));
  return std::make_shared<TermExtractor>(std::move(segmenter), std::move(synonyms));
}

Result<std::shared_ptr<const StopWords>> OpenStopWords(const TermFiles& files) {
  if (files.stop_words.empty()) return StopWords::Usual();
  ZHIWEN_ASSIGN_OR_RETURN(const UserFile file, ReadUserFile(PosixFileSystem(), files.stop_words));
  return StopWords::Parse(file);
}

Result<std::shared_ptr<const TermSnapshot>> OpenSnapshot(const TermFiles& files) {
  if (files.df.empty()) return nullptr;
  return TermSnapshot::Open(PosixFileSystem(), files.df);
}

}  // namespace zhiwen
