#ifndef ZHIWEN_TEXT_SEGMENTER_SEGMENTER_DATA_H_
#define ZHIWEN_TEXT_SEGMENTER_SEGMENTER_DATA_H_

// The data of the segmenter in language data: the words of the dictionary, the model that finds
// words missing there, and the model that finds such words with their tags.
//
// Guarantees  every index is within its bounds, whatever the file contains
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

// The value that jieba uses for the logarithm of zero.
inline constexpr double kNeverProbability = -3.14e100;

struct SegmenterHead {
  uint64_t occurrences = 0;  // sum over all words of the dictionary
  uint32_t depth = 0;        // depth of the trie
  uint32_t tag_states = 0;   // number of states
};

// The position of a character in a word, in the order of the letters B, E, M and S.
enum class WordPosition : uint8_t { kBegin, kEnd, kMiddle, kSingle };

// Logarithms of the probabilities of the word model.
struct WordModelTable {
  std::array<double, 4> start;
  std::array<std::array<double, 4>, 4> moves;  // [to][from]
};

// A state of the tag model: a position and a tag. States are ordered by both as texts.
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

// A state in which a character occurs.
struct TagEmission {
  double probability = 0;
  uint32_t state = 0;
  uint32_t listed = 0;  // 1 when the character is tried in this state
};

inline constexpr uint32_t kMostTagStates = 256;

struct SegmenterData {
  static Result<SegmenterData> Open(const SectionFile& sections);

  SegmenterData() = default;
  // The object can be moved but not copied, because `trie` has views of other members.
  SegmenterData(SegmenterData&&) = default;

  SegmenterHead head;
  TrieView trie;
  std::span<const uint32_t> frequencies;  // by frequency number; the first is 0
  std::vector<double> logs;               // logarithms of the frequencies
  std::span<const uint8_t> word_tags;     // by cell, 0 for none
  std::vector<std::string_view> tags;     // names; the first is empty

  WordModelTable word_model;
  std::span<const std::array<double, 4>> word_emissions;  // by Han code − 1

  std::span<const TagState> tag_states;
  std::span<const uint32_t> tag_move_begins;  // by target state, and the end
  std::span<const TagMove> tag_moves;
  std::span<const uint32_t> tag_emission_begins;  // by Han code − 1, and the end
  std::span<const TagEmission> tag_emissions;     // states ascend

  std::string_view other_words;  // lines of a word with other characters, a tab, and its frequency

 private:
  Status OpenWords(const SectionFile& sections);
  Status OpenModels(const SectionFile& sections);
};

}  // namespace zhiwen

#endif  // ZHIWEN_TEXT_SEGMENTER_SEGMENTER_DATA_H_
