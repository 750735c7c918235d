#ifndef ZHIWEN_TEXT_SEGMENTER_WORD_TRIE_H_
#define ZHIWEN_TEXT_SEGMENTER_WORD_TRIE_H_

// Stores the words of a dictionary as a double array over ranks of characters: the child of a cell
// by rank r is cell base + r, provided that this cell has the rank r. No two cells have the same
// base. Cell 0 is the root and has the base 0, so the cell of a one-character word is its rank; no
// other cells are there. Ranks renumber the codes of word_characters.h by how many words they
// continue, the most first, so that children lie close together.
//
// A bit for each pair of ranks, addressed by a hash, says whether a word may begin with the pair.
// Most pairs of a text begin no word, and the bits fit in a cache that is too small for the cells.
//
// Cost        a step is one cell, 8 bytes; 2²⁶ cells, 2²³ distinct frequencies
// Threads     const: share freely
// Persisted   TrieCell and the bits of pairs, in the language data

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "text/segmenter/word_characters.h"

namespace zhiwen {

// A cell in 64 bits, from the lowest: 15 bits of rank, 26 of base, 23 of the number of its
// frequency.
class TrieCell {
 public:
  static constexpr uint32_t kFree = (1U << 15) - 1;  // used as a rank
  static constexpr uint32_t kMostBase = (1U << 26) - 1;
  static constexpr uint32_t kMostNumber = (1U << 23) - 1;

  constexpr TrieCell() : TrieCell(kFree, 0, 0) {}
  constexpr TrieCell(uint32_t rank, uint32_t base, uint32_t number)
      : bits_(uint64_t{number} << 41 | uint64_t{base} << 15 | rank) {}

  // Returns the rank of the step that leads to this cell.
  uint32_t rank() const { return static_cast<uint32_t>(bits_) & kFree; }
  uint32_t base() const { return static_cast<uint32_t>(bits_ >> 15) & kMostBase; }  // 0 for a leaf
  uint32_t number() const { return static_cast<uint32_t>(bits_ >> 41); }  // 0 when not a word
  bool is_free() const { return rank() == kFree; }

 private:
  uint64_t bits_;
};

// The bits of pairs.
inline constexpr size_t kPairWords = 1 << 14;
constexpr uint32_t PairBit(uint32_t first, uint32_t second) {
  return (first * 0x9E3779B1U + second * 0x85EBCA77U) >> 12;
}
static_assert(UINT32_MAX >> 12 == kPairWords * 64 - 1);

// A trie in use. A trie made of untrusted bytes must pass IsSound once. Afterwards no step leads
// outside, and `depth` and the bits of pairs are right for its words.
struct TrieView {
  static constexpr uint32_t kRoot = 0;

  std::span<const TrieCell> cells;
  std::span<const uint16_t> ranks;  // by code; code 0 has rank 0
  std::span<const double> logs;     // by number, of frequencies; −∞ for number 0
  std::span<const uint64_t> pairs;  // kPairWords
  uint32_t depth = 1;               // length of the longest word in characters

  bool IsSound() const;

  // Returns false when no word begins with the characters of these ranks.
  bool MayBeginWith(uint32_t first, uint32_t second) const {
    const uint32_t bit = PairBit(first, second);
    return (pairs[bit / 64] >> bit % 64 & 1) != 0;
  }

  // Returns the cell that `rank` (not 0) leads to from `cell`, or the root when there is none.
  uint32_t Step(uint32_t cell, uint32_t rank) const {
    const uint32_t base = cells[cell].base();
    if (base == 0 && cell != kRoot) return kRoot;
    return cells[base + rank].rank() == rank ? base + rank : kRoot;
  }

  // Returns the cell of a word of word characters, or of the beginning of a word; the root when
  // there is none.
  uint32_t Find(const uint8_t* begin, const uint8_t* end) const {
    uint32_t cell = kRoot;
    while (begin < end) {
      const WordCharacter next = ReadWordCharacter(begin, end, kWordAscii);
      const uint32_t rank = ranks[next.code];
      const bool is_second = cell - 1 < kLastWordCode;
      if (is_second && !MayBeginWith(cell, rank)) return kRoot;
      cell = Step(cell, rank);
      if (cell == kRoot) break;
      begin += next.length;
    }
    return cell;
  }

  bool IsWord(uint32_t cell) const { return cells[cell].number() != 0; }

 private:
  bool AreCellsSound() const;
  bool FitsItsWords(std::span<uint16_t> owners, std::vector<uint32_t>& longer) const;
};

// A trie that can grow, with the frequency and the tag of each word. The ranks given to the
// constructor must outlive the trie and its views.
class WordTrie {
 public:
  struct Word {
    std::vector<uint32_t> ranks;
    uint64_t frequency = 0;
    uint32_t tag = 0;
  };

  explicit WordTrie(std::span<const uint16_t> ranks);
  // Copies a sound trie except for its ranks. Frequencies are by number, tags by cell.
  WordTrie(const TrieView& trie, std::span<const uint32_t> frequencies,
           std::span<const uint8_t> tags);

  // Adds distinct words in ascending order of ranks to an empty trie, packed tightly.
  void Build(std::span<const Word> words);

  // Returns whether the trie might have no room for another word.
  bool IsFull() const;

  // Returns the cell of a word. Missing cells, also of its beginnings, are added, which may move
  // cells that were returned before.
  uint32_t Insert(std::span<const uint32_t> codes);
  void SetFrequency(uint32_t cell, uint64_t frequency);
  void SetTag(uint32_t cell, uint32_t tag) { tags_[cell] = tag; }

  // The view is valid until the next call that changes the trie.
  TrieView view() const { return {cells_, ranks_, logs_, pairs_, depth_}; }
  std::span<const uint64_t> frequencies() const { return frequencies_; }  // by number
  uint64_t frequency(uint32_t cell) const { return frequencies_[cells_[cell].number()]; }
  std::span<const uint32_t> tags() const { return tags_; }  // 0 for none

 private:
  struct Range;
  // One bit for each number; bits after the last are not set.
  class Bits {
   public:
    bool Has(uint64_t i) const {
      return i / 64 < words_.size() && (words_[i / 64] >> i % 64 & 1) != 0;
    }
    void Set(uint64_t i) {
      if (i / 64 >= words_.size()) words_.resize(i / 64 + 1 + words_.size() / 2);
      words_[i / 64] |= uint64_t{1} << i % 64;
    }
    void Clear(uint64_t i) { words_[i / 64] &= ~(uint64_t{1} << i % 64); }
    // Returns the 64 bits from `i` on.
    uint64_t From(uint64_t i) const {
      const uint64_t low = Word(i / 64) >> i % 64;
      return i % 64 == 0 ? low : low | Word(i / 64 + 1) << (64 - i % 64);
    }

   private:
    uint64_t Word(uint64_t i) const { return i < words_.size() ? words_[i] : 0; }
    std::vector<uint64_t> words_;
  };

  void AddPair(uint32_t first, uint32_t second) {
    const uint32_t bit = PairBit(first, second);
    pairs_[bit / 64] |= uint64_t{1} << bit % 64;
  }
  uint32_t NumberOf(uint64_t frequency);
  void GrowTo(uint64_t cells);
  uint32_t TakeBase(std::span<const uint32_t> ranks);
  void Take(uint32_t parent, uint32_t rank, const TrieCell& content);
  uint32_t AddChild(uint32_t parent, uint32_t rank);
  void Relocate(uint32_t parent, uint32_t rank);
  void Move(uint32_t parent, uint32_t from, uint32_t rank);
  void SetBase(uint32_t cell, uint32_t base);
  std::vector<Range> PlaceLevel(std::span<const Word> words, const std::vector<Range>& level,
                                size_t at);

  std::span<const uint16_t> ranks_;
  std::vector<TrieCell> cells_;
  std::vector<uint32_t> tags_;
  std::vector<uint64_t> frequencies_ = {0};
  std::vector<double> logs_;
  std::unordered_map<uint64_t, uint32_t> numbers_;
  std::vector<uint64_t> pairs_;
  std::vector<uint32_t> first_child_, sibling_;  // children of each cell as a linked list
  Bits taken_, bases_;                           // used cells, and used bases
  std::vector<uint64_t> search_from_;            // by number of children
  uint32_t depth_ = 1;
};

// Returns the natural logarithms of frequencies; the first frequency is 0, with logarithm −∞.
std::vector<double> LogsOf(std::span<const uint32_t> frequencies);

}  // namespace zhiwen

#endif  // ZHIWEN_TEXT_SEGMENTER_WORD_TRIE_H_
