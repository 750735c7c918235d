#include "zhiwen/scheme_files.h"

#include <utility>

#include "zhiwen/phoneme_snapshot.h"
#include "zhiwen/segmenter.h"
#include "zhiwen/term_snapshot.h"
#include "zhiwen/terms.h"
#include "zhiwen/user_file.h"

namespace zhiwen {

Result<std::shared_ptr<const TermExtractor>> OpenTerms(FileSystem& files, const SchemeFiles& given,
                                                       const LanguageSource& language) {
  ZHIWEN_ASSIGN_OR_RETURN(std::vector<UserFile> dictionaries,
                          ReadUserFiles(files, given.dictionaries));
  std::shared_ptr<const Synonyms> synonyms;
  if (!given.synonyms.empty()) {
    ZHIWEN_ASSIGN_OR_RETURN(const UserFile file, ReadUserFile(files, given.synonyms));
    ZHIWEN_ASSIGN_OR_RETURN(synonyms, Synonyms::Parse(file));
    dictionaries.push_back(synonyms->canonical_words());
  }
  if (!language) {
    return Fail(ErrorCode::kNotFound, "words need language data, and none is loaded");
  }
  ZHIWEN_ASSIGN_OR_RETURN(const std::shared_ptr<const Language> data, language());
  ZHIWEN_ASSIGN_OR_RETURN(std::shared_ptr<const Segmenter> segmenter,
                          Segmenter::Create(data, dictionaries));
  return std::make_shared<TermExtractor>(std::move(segmenter), std::move(synonyms));
}

Result<std::shared_ptr<const StopWords>> OpenStopWords(FileSystem& files,
                                                       const SchemeFiles& given) {
  if (given.stop_words.empty()) return StopWords::Usual();
  ZHIWEN_ASSIGN_OR_RETURN(const UserFile file, ReadUserFile(files, given.stop_words));
  return StopWords::Parse(file);
}

Result<std::shared_ptr<const TermSnapshot>> OpenSnapshot(FileSystem& files,
                                                         const SchemeFiles& given) {
  if (given.df.empty()) return nullptr;
  return TermSnapshot::Open(files, given.df);
}

Result<SchemeResources> OpenSchemeFiles(FileSystem& files, const SchemeFiles& given,
                                        const LanguageSource& language) {
  SchemeResources resources;
  ZHIWEN_ASSIGN_OR_RETURN(resources.snapshot, OpenSnapshot(files, given));
  ZHIWEN_ASSIGN_OR_RETURN(resources.stop_words, OpenStopWords(files, given));
  if (!given.phonemes.empty()) {
    ZHIWEN_ASSIGN_OR_RETURN(resources.phonemes, PhonemeSnapshot::Open(files, given.phonemes));
  }
  if (given.has_words()) {
    ZHIWEN_ASSIGN_OR_RETURN(resources.terms, OpenTerms(files, given, language));
  }
  return resources;
}

}  // namespace zhiwen
