#ifndef ZHIWEN_TEXT_SEGMENTER_SEGMENTER_DATA_H_
#define ZHIWEN_TEXT_SEGMENTER_SEGMENTER_DATA_H_

// What language data holds for the segmenter: the words of the dictionary, the model that finds
// words it lacks, and the model that finds them with their tags.
//
// Guarantees  all that is used as an index is inside what it indexes, whatever the file says
// Threads     const after Open: share freely
// Fails       Open: kUnreadable, naming the section
// Persisted   docs/formats/language.md

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/files/section_file.h"
#include "text/segmenter/word_trie.h"
#include "zhiwen/result.h"

namespace zhiwen {

// What jieba takes for the logarithm of zero.
inline constexpr double kNeverProbability = -3.14e100;

struct SegmenterHead {
  uint64_t occurrences = 0;  // of all words of the dictionary
  uint32_t depth = 0;        // of the trie
  uint32_t tag_states = 0;   // how many there are
};

// Where in a word a character is; in the order of their letters B, E, M and S.
enum class WordPosition : uint8_t { kBegin, kEnd, kMiddle, kSingle };

// Logarithms of probabilities of the model of words.
struct WordModelTable {
  std::array<double, 4> start;
  std::array<std::array<double, 4>, 4> moves;  // [to][from]
};

// Of the model of tags: a state is a position and a tag. States are in the order of both as texts.
struct TagState {
  double start = 0;
  uint32_t tag = 0;
  WordPosition position = WordPosition::kSingle;
  uint8_t unused[3] = {};
};

struct TagMove {
  double probability = 0;
  uint32_t from = 0;
  uint32_t unused = 0;
};

// A state that a character is known in.
struct TagEmission {
  double probability = 0;
  uint32_t state = 0;
  uint32_t listed = 0;  // 1: among the states that the character is tried in
};

inline constexpr uint32_t kMostTagStates = 256;

struct SegmenterData {
  static Result<SegmenterData> Open(const SectionFile& sections);

  SegmenterData() = default;
  SegmenterData(SegmenterData&&) = default;  // `trie` has views into it

  SegmenterHead head;
  TrieView trie;
  std::span<const uint32_t> frequencies;  // by number; the first is 0
  std::vector<double> logs;               // of them
  std::span<const uint8_t> word_tags;     // by cell; 0: none
  std::vector<std::string_view> tags;     // names; the first is empty

  WordModelTable word_model;
  std::span<const std::array<double, 4>> word_emissions;  // by Han code − 1

  std::span<const TagState> tag_states;
  std::span<const uint32_t> tag_move_begins;  // by state that is moved to, and the end
  std::span<const TagMove> tag_moves;
  std::span<const uint32_t> tag_emission_begins;  // by Han code − 1, and the end
  std::span<const TagEmission> tag_emissions;     // states ascend

  std::string_view other_words;  // lines of a word with other characters, a tab, its frequency

 private:
  Status OpenWords(const SectionFile& sections);
  Status OpenModels(const SectionFile& sections);
};

}  // namespace zhiwen

#endif  // ZHIWEN_TEXT_SEGMENTER_SEGMENTER_DATA_H_
