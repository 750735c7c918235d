#include "commands/term_files.h"

namespace zhiwen {

std::vector<OptionSpec> TermFileSpecs(SchemeFiles& files) {
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

OptionSpec PhonemesOption(SchemeFiles& files) {
  return Once(TextOption("--phonemes", "FILE", files.phonemes,
                         "Phoneme frequencies of a corpus, written by zhiwen phonemes train"));
}

}  // namespace zhiwen
