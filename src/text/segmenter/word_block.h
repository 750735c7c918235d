#ifndef ZHIWEN_TEXT_SEGMENTER_WORD_BLOCK_H_
#define ZHIWEN_TEXT_SEGMENTER_WORD_BLOCK_H_

// Runs of characters that words are made of, with what stands between them, and the most probable
// words that they consist of: the way through all words of the dictionary whose sum of logarithms
// is largest, computed from the end of a run to its beginning; of equal ones the one with the
// longer word.
//
// Words are looked up for all characters of a block at once, first those of two characters, then
// those of three, then the longer ones: the look-ups wait for memory together, not one for another.
//
// A run that is longer than a block is worked on in chunks. Sums depend on all that follows, down
// to the last bit, so a first pass from the end keeps the sums at the beginning of each chunk; from
// these each chunk is computed again, from the first to the last, and gives its words.
//
// Cost        a chunk of arrays, 50 bytes a character; depth + 1 sums of each chunk, which is an
//             eighth of a byte for each character of a long run at most
// Threads     one object a thread

#include <cstdint>
#include <vector>

#include "text/segmenter/word_trie.h"

namespace zhiwen {

class WordBlock {
 public:
  // Blocks have so many characters. Chunks have as many, and `depths` times as many as the longest
  // word, at least 1, so that little is kept.
  struct Sizes {
    uint32_t block = 1 << 12, depths = 64;
  };
  explicit WordBlock(const Sizes& sizes) : sizes_(sizes) {}

  // Starts with the run at `at`, and as many whole runs behind it as a block holds; returns where
  // the last of them ends, or `end`.
  const uint8_t* Open(const TrieView& trie, const AsciiWordTable& ascii, const uint8_t* at,
                      const uint8_t* end);

  // Calls take(begin, end, characters) for the words of the most probable way and for what stands
  // between runs, of which it says 0 characters, in order; until is_stopped(), which is asked for
  // each chunk, holds.
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

  // A character and where the words that begin with it end, ascending; its own end without any. Or
  // what stands between two runs, and nothing.
  struct Character {
    const uint8_t* begin = nullptr;
    const uint8_t* end = nullptr;
    const std::vector<const uint8_t*>& word_ends;
  };
  // Calls take(character) for all of them, in order, until is_stopped() as above.
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
  // A beginning of longer words, and the base of its cell.
  struct Beginning {
    uint32_t at = 0, base = 0;
  };

  // Where the next run begins, or the end.
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
  std::vector<const uint8_t*> begins_;  // of the chunks
  uint32_t last_size_ = 0;              // characters of the last chunk
  const uint8_t* end_ = nullptr;        // of the runs, once they are open

  // Of the chunk that is loaded, and of what its words may reach behind it. Other characters have
  // the rank 0, and so has what is behind the last.
  const uint8_t* begin_ = nullptr;
  uint32_t size_ = 0, loaded_ = 0;
  uint32_t runs_end_ = 0;  // behind the last run that is whole, when there are others behind it
  std::vector<uint32_t> ranks_, offsets_;
  // The values of its words of one, two and three characters; −∞: there is none.
  std::vector<double> ones_, twos_, threes_;
  std::vector<LongWord> long_words_;
  std::vector<Beginning> beginnings_;
  std::vector<double> sums_, kept_;
  std::vector<uint16_t> lengths_;  // of the most probable word
  std::vector<const uint8_t*> word_ends_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_TEXT_SEGMENTER_WORD_BLOCK_H_
