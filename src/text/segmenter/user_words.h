#ifndef ZHIWEN_TEXT_SEGMENTER_USER_WORDS_H_
#define ZHIWEN_TEXT_SEGMENTER_USER_WORDS_H_

// The dictionary with the words of user dictionaries, added one after another as
// jieba.load_userdict does. A word without a frequency gets one that lets it be cut as one word,
// given the words added before. A later line wins. The occurrences of all lines are counted.
//
// Fails       kUnreadable: as ForEachUserLine, for a line that FaultOf refuses, and for a frequency
//             that is too large

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/user_lines.h"
#include "base/hash.h"
#include "text/segmenter/segmenter_data.h"
#include "text/segmenter/text_cutter.h"
#include "zhiwen/segmenter.h"

namespace zhiwen {

// A line of a user dictionary, as `^(.+?)( [0-9]+)?( [a-z]+)?$` matches it.
struct UserWord {
  std::string_view word;
  std::string_view frequency;  // digits, or empty when not given
  std::string_view tag;
};

// `line` must be valid UTF-8 and not blank.
UserWord ParseUserWord(std::string_view line);

// Describes the fault of a line that jieba would read differently from what the user meant: a
// number or white space would be a part of the word. Empty when there is no fault.
std::string FaultOf(const UserWord& read);

class UserWords {
 public:
  // `data` must outlive this object.
  explicit UserWords(const SegmenterData& data);
  UserWords(const UserWords&) = delete;
  UserWords& operator=(const UserWords&) = delete;

  Status Add(const UserFile& dictionary);

  // Sets the members of `lexicon` that depend on the words.
  void FillLexicon(Lexicon& lexicon) const;

  // Returns a hash of the added lines, without line ends and surrounding blanks.
  uint64_t Hash() const { return lines_.Finish(); }

 private:
  Status AddLine(const UserLine& line);
  void SetFrequency(std::string_view word, uint64_t frequency);
  uint64_t SuggestFrequency(std::string_view word);
  std::optional<uint64_t> FrequencyOf(std::string_view word) const;
  uint32_t TagNumber(std::string_view tag);

  WordTrie trie_;
  // Words with other characters. jieba stores their beginnings with the frequency 0; here
  // FrequencyOf finds them by searching the words.
  std::map<std::string, uint64_t, std::less<>> others_;
  uint64_t occurrences_;
  std::vector<std::string_view> tags_;
  std::map<std::string, uint32_t, std::less<>> tag_numbers_;
  std::set<std::string, std::less<>> force_split_;
  TextCutter cutter_;
  StreamHash64 lines_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_TEXT_SEGMENTER_USER_WORDS_H_
