#ifndef ZHIWEN_TEXT_SEGMENTER_WORD_TRIE_H_
#define ZHIWEN_TEXT_SEGMENTER_WORD_TRIE_H_

// The words of a dictionary as a double array over ranks of characters: the child of cell s by rank
// r is cell s.base + r when its parent is s. Cell 0 is the root and has the base 0, so the cell of
// a word of one character is its rank; no other cells are there. Ranks number the codes of
// word_characters.h anew, those that continue many words first: children lie close together.
//
// Cost        a step is one cell, 16 bytes
// Threads     const: share freely
// Persisted   TrieCell, in the language data

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "text/segmenter/word_characters.h"

namespace zhiwen {

struct TrieCell {
  uint32_t base = 0;  // 0: a leaf
  uint32_t parent = kFree;
  double log_frequency = kNoWord;

  static constexpr uint32_t kFree = UINT32_MAX;
  static constexpr double kNoWord = -1;  // only the beginning of words
};

// A trie in use. Cells of foreign bytes need IsSound once: no step leads outside then.
struct TrieView {
  static constexpr uint32_t kRoot = 0;

  std::span<const TrieCell> cells;
  std::span<const uint16_t> ranks;  // by code; 0 of 0
  uint32_t depth = 1;               // characters of the longest word

  bool IsSound() const;

  // The cell that `rank` leads to from `cell`; the root where there is none.
  uint32_t Step(uint32_t cell, uint32_t rank) const {
    if (cell == kRoot) return cells[rank].parent == kRoot ? rank : kRoot;
    const uint32_t base = cells[cell].base;
    if (base == 0) return kRoot;
    return cells[base + rank].parent == cell ? base + rank : kRoot;
  }

  // The cell of a word of word characters, or of a beginning of one; the root where there is none.
  uint32_t Find(const uint8_t* begin, const uint8_t* end) const {
    uint32_t cell = kRoot;
    while (begin < end) {
      const WordCharacter next = ReadWordCharacter(begin, end, kWordAscii);
      cell = Step(cell, ranks[next.code]);
      if (cell == kRoot) break;
      begin += next.length;
    }
    return cell;
  }

  bool IsWord(uint32_t cell) const { return cells[cell].log_frequency >= 0; }

 private:
  bool IsAsDeepAsSaid() const;
};

// A trie that grows, with the frequency and the tag of each word.
class WordTrie {
 public:
  struct Word {
    std::vector<uint32_t> ranks;
    uint64_t frequency = 0;
    uint32_t tag = 0;
  };

  explicit WordTrie(std::span<const uint16_t> ranks);
  // A copy of a sound one; `frequencies` and `tags` are as long as its cells.
  WordTrie(const TrieView& trie, std::span<const uint32_t> frequencies,
           std::span<const uint8_t> tags);

  // Adds distinct words in ascending order of ranks to an empty trie, packed tightly.
  void Build(std::span<const Word> words);

  // The cell of a word, made where it lacks, with those of its beginnings. Cells that were returned
  // before may have moved.
  uint32_t Insert(std::span<const uint32_t> codes);
  void SetFrequency(uint32_t cell, uint64_t frequency);
  void SetTag(uint32_t cell, uint32_t tag) { tags_[cell] = tag; }

  // Valid until the next call that changes it.
  TrieView view() const { return {cells_, ranks_, depth_}; }
  std::span<const uint64_t> frequencies() const { return frequencies_; }
  std::span<const uint32_t> tags() const { return tags_; }  // 0: none

 private:
  struct Range;

  bool IsFree(uint64_t cell) const {
    return cell > kLastWordCode &&
           (cell >= cells_.size() || cells_[cell].parent == TrieCell::kFree);
  }
  void GrowTo(uint64_t cells);
  uint32_t FindBase(std::span<const uint32_t> ranks);
  bool Fits(uint64_t base, std::span<const uint32_t> ranks) const;
  void Take(uint32_t cell, uint32_t parent);
  void Release(uint32_t cell);
  uint32_t AddChild(uint32_t parent, uint32_t rank);
  void Relocate(uint32_t parent, uint32_t rank);
  void Move(uint32_t from, uint32_t to);
  std::vector<Range> PlaceLevel(std::span<const Word> words, const std::vector<Range>& level,
                                size_t at);

  std::span<const uint16_t> ranks_;
  std::vector<TrieCell> cells_;
  std::vector<uint64_t> frequencies_;
  std::vector<uint32_t> tags_;
  // The children of a cell as a list, and the free cells as a ring through cell 0.
  std::vector<uint32_t> first_child_, sibling_, next_free_, previous_free_;
  uint32_t depth_ = 1;
};

}  // namespace zhiwen

#endif  // ZHIWEN_TEXT_SEGMENTER_WORD_TRIE_H_
