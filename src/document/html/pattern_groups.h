#ifndef ZHIWEN_DOCUMENT_HTML_PATTERN_GROUPS_H_
#define ZHIWEN_DOCUMENT_HTML_PATTERN_GROUPS_H_

// Finds which groups of words occur in a text, in one pass: the automaton of A. Aho and
// M. Corasick, "Efficient string matching", 1975.
//
// In          text in UTF-8; ASCII letters are compared without case
// Out         a bit for each group that has a word in the text
// Cost        a table look-up a byte
// Threads     const after the constructor: share freely

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace zhiwen {

// The words of a group, separated by spaces. A word between '*' may stand inside another one;
// other words of ASCII letters must be whole: no letter of the same word stands beside them. A
// capital letter behind a small one begins a word. '~' stands for a space of the text.
struct PatternGroup {
  std::string_view name;
  std::string_view words;
};

class PatternGroups {
 public:
  // At most 32 groups.
  explicit PatternGroups(std::span<const PatternGroup> groups);

  // Returns bit i for group i.
  uint32_t Find(std::string_view text) const;

 private:
  struct Ending {
    uint32_t any = 0;   // groups of words that may stand anywhere
    uint32_t next = 0;  // index of whole words that end here, 0: none
  };
  struct WholeWord {
    uint32_t group = 0, length = 0, next = 0;
  };

  void Add(std::string_view word, uint32_t group);
  void Link();
  uint32_t& Step(size_t state, uint8_t byte) { return steps_[state << shift_ | classes_[byte]]; }

  std::array<uint8_t, 256> classes_ = {};  // 0: a byte of no word
  size_t shift_ = 0;
  std::vector<uint32_t> steps_;  // states << shift_, and a class
  std::vector<Ending> endings_;  // by state
  std::vector<WholeWord> whole_words_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENT_HTML_PATTERN_GROUPS_H_
