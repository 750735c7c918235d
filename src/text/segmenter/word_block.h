#ifndef ZHIWEN_TEXT_SEGMENTER_WORD_BLOCK_H_
#define ZHIWEN_TEXT_SEGMENTER_WORD_BLOCK_H_

// A run of characters that words are made of, and the most probable words that it consists of: the
// way through all words of the dictionary whose sum of logarithms is largest, computed from the end
// to the beginning; of equal ones the one with the longer word.
//
// A long run is worked on in chunks. Sums depend on all that follows, down to the last bit, so a
// first pass from the end keeps the sums at the beginning of each chunk; from these each chunk is
// computed again, from the first to the last, and gives its words.
//
// Cost        a chunk of arrays, and `depth` sums of each chunk
// Threads     one object a thread

#include <cstdint>
#include <vector>

#include "text/segmenter/word_trie.h"

namespace zhiwen {

class WordBlock {
 public:
  // Chunks have at least as many characters as the longest word.
  explicit WordBlock(uint32_t chunk = 1 << 14) : least_chunk_(chunk) {}

  // Starts with the run at `at`; returns where it ends.
  const uint8_t* Open(const TrieView& trie, const AsciiWordTable& ascii, const uint8_t* at,
                      const uint8_t* end);

  // Calls take(begin, end, characters) for the words of the most probable way, in order.
  template <typename Take>
  void ForEachWord(double log_total, const Take& take) {
    const size_t chunks = begins_.size();
    for (size_t chunk = chunks; chunk-- > 1;) {
      Load(chunk);
      Solve(chunk, log_total);
      Keep(chunk);
    }
    uint32_t at = 0;
    for (size_t chunk = 0; chunk < chunks; ++chunk) {
      if (chunks > 1) Load(chunk);
      Solve(chunk, log_total);
      for (; at < size_; at = next_[at]) {
        take(begin_ + offsets_[at], begin_ + offsets_[next_[at]], next_[at] - at);
      }
      at -= size_;
    }
  }

  // A character and where the words that begin with it end, ascending; its own end without any.
  struct Character {
    const uint8_t* begin = nullptr;
    const std::vector<const uint8_t*>& word_ends;
  };
  // Calls take(character) for all of them, in order.
  template <typename Take>
  void ForEachCharacter(const Take& take) {
    for (size_t chunk = 0; chunk < begins_.size(); ++chunk) {
      if (begins_.size() > 1) Load(chunk);
      for (uint32_t i = 0; i < size_; ++i) {
        FindWordEnds(i);
        take(Character{begin_ + offsets_[i], word_ends_});
      }
    }
  }

 private:
  uint32_t LoadCodes(const uint8_t* at, uint32_t capacity);
  void OpenLong(const uint8_t* at, const uint8_t* end);
  void Load(size_t chunk);
  void Solve(size_t chunk, double log_total);
  void Keep(size_t chunk);
  void FindWordEnds(uint32_t i);

  uint32_t least_chunk_;
  TrieView trie_;
  const AsciiWordTable* ascii_ = nullptr;
  uint32_t chunk_ = 0;
  std::vector<const uint8_t*> begins_;  // of the chunks
  uint32_t last_size_ = 0;              // characters of the last chunk
  const uint8_t* end_ = nullptr;        // of the run, once it is open

  // Of the chunk that is loaded, and of what its words may reach behind it.
  const uint8_t* begin_ = nullptr;
  uint32_t size_ = 0, loaded_ = 0;
  std::vector<uint32_t> ranks_, offsets_, next_;
  std::vector<double> sums_, kept_;
  std::vector<const uint8_t*> word_ends_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_TEXT_SEGMENTER_WORD_BLOCK_H_
