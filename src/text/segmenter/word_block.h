#ifndef ZHIWEN_TEXT_SEGMENTER_WORD_BLOCK_H_
#define ZHIWEN_TEXT_SEGMENTER_WORD_BLOCK_H_

// Reads runs of characters that words consist of, with the text between them, and finds the most
// probable words of each run: the path through all words of the dictionary with the largest sum of
// logarithms, computed from the end of a run to its beginning. Of equal paths the one with the
// longer word wins.
//
// Words are looked up for all characters of a block at once, first those of two characters, then
// those of three, then the longer ones. The look-ups thereby wait for memory together instead of
// one after another.
//
// A run longer than a block is processed in chunks. Sums depend on all that follows, down to the
// last bit. A first pass from the end therefore keeps the sums at the beginning of each chunk; from
// these sums each chunk is computed again, from the first to the last, and gives its words.
//
// Cost        a chunk of arrays, 50 bytes a character; depth + 1 sums of each chunk, which is at
//             most an eighth of a byte for each character of a long run
// Threads     one object a thread

#include <cstdint>
#include <vector>

#include "text/segmenter/word_trie.h"

namespace zhiwen {

class WordBlock {
 public:
  // Number of characters of a block. A chunk has as many, and at least `depths` times as many as
  // the longest word (`depths` ≥ 1), so that few sums are kept.
  struct Sizes {
    uint32_t block = 1 << 12, depths = 64;
  };
  explicit WordBlock(const Sizes& sizes) : sizes_(sizes) {}

  // Starts with the run at `at` and the whole runs after it that fit in a block. Returns the end of
  // the last one, or `end`.
  const uint8_t* Open(const TrieView& trie, const AsciiWordTable& ascii, const uint8_t* at,
                      const uint8_t* end);

  // Calls take(begin, end, characters) in order for the words of the most probable path, and with 0
  // characters for the text between runs. Stops when is_stopped(), which is called for each chunk,
  // returns true.
  template <typename IsStopped, typename Take>
  void ForEachWord(double log_total, const IsStopped& is_stopped, const Take& take) {
    const size_t chunks = begins_.size();
    for (size_t chunk = chunks; chunk-- > 1 && !is_stopped();) {
      Load(chunk);
      Solve(chunk, log_total);
      Keep(chunk);
    }
    uint32_t at = 0;
    for (size_t chunk = 0; chunk < chunks && !is_stopped(); ++chunk) {
      if (chunks > 1) Load(chunk);
      Solve(chunk, log_total);
      while (at < size_) {
        const uint32_t next = ranks_[at] == 0 ? FindRun(at) : at + lengths_[at];
        take(begin_ + offsets_[at], begin_ + offsets_[next], ranks_[at] == 0 ? 0 : next - at);
        at = next;
      }
      at -= size_;
    }
  }

  // A character and the ends of the words that begin with it, ascending; only its own end when
  // there is no word. Or the text between two runs, without ends.
  struct Character {
    const uint8_t* begin = nullptr;
    const uint8_t* end = nullptr;
    const std::vector<const uint8_t*>& word_ends;
  };
  // Calls take(character) for all of them in order, until is_stopped() returns true.
  template <typename IsStopped, typename Take>
  void ForEachCharacter(const IsStopped& is_stopped, const Take& take) {
    for (size_t chunk = 0; chunk < begins_.size() && !is_stopped(); ++chunk) {
      if (begins_.size() > 1) Load(chunk);
      for (uint32_t i = 0, next = 0; i < size_; i = next) {
        FindWordEnds(i);
        next = ranks_[i] == 0 ? FindRun(i) : i + 1;
        take(Character{begin_ + offsets_[i], begin_ + offsets_[next], word_ends_});
      }
    }
  }

 private:
  // A word of more than three characters, which begins with character `at`.
  struct LongWord {
    uint32_t at = 0, length = 0;
    double value = 0;
  };
  // The beginning of longer words, and the base of its cell.
  struct Beginning {
    uint32_t at = 0, base = 0;
  };

  // Returns where the next run begins, or the end.
  uint32_t FindRun(uint32_t i) const {
    while (i < size_ && ranks_[i] == 0) ++i;
    return i;
  }
  void Reserve(uint32_t characters);
  uint32_t LoadCodes(const uint8_t* at, uint32_t capacity);
  void OpenLong(const uint8_t* at, const uint8_t* end);
  void Load(size_t chunk);
  void Solve(size_t chunk, double log_total);
  size_t FindShortWords(double log_total);
  void FindLongWords(size_t beginnings, double log_total);
  void Sum(double log_total);
  void Keep(size_t chunk);
  void FindWordEnds(uint32_t i);

  Sizes sizes_;
  TrieView trie_;
  const AsciiWordTable* ascii_ = nullptr;
  uint32_t chunk_ = 0;
  std::vector<const uint8_t*> begins_;  // beginnings of the chunks
  uint32_t last_size_ = 0;              // characters of the last chunk
  const uint8_t* end_ = nullptr;        // end of the runs, once they are open

  // Data of the loaded chunk, and of the characters after it that its words may reach. Other
  // characters have the rank 0, and so does the place after the last one.
  const uint8_t* begin_ = nullptr;
  uint32_t size_ = 0, loaded_ = 0;
  // End of the last whole run, when others follow it.
  uint32_t runs_end_ = 0;
  std::vector<uint32_t> ranks_, offsets_;
  // Values of the chunk's words of one, two and three characters; −∞ when there is no word.
  std::vector<double> ones_, twos_, threes_;
  std::vector<LongWord> long_words_;
  std::vector<Beginning> beginnings_;
  std::vector<double> sums_, kept_;
  std::vector<uint16_t> lengths_;  // length of the most probable word
  std::vector<const uint8_t*> word_ends_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_TEXT_SEGMENTER_WORD_BLOCK_H_
