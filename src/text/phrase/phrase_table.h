#ifndef ZHIWEN_TEXT_PHRASE_PHRASE_TABLE_H_
#define ZHIWEN_TEXT_PHRASE_PHRASE_TABLE_H_

// Maps phrases of symbols to outputs: other symbols, readings, numbers of words. The table is a
// trie in one flat array, which is used in place: in a section of language data, or in memory.
//
// In          keys of 1 to 32 symbols, none of them kPhraseGap; outputs of 1 to 32 values
// Guarantees  Open checks every offset once; afterwards no content leads outside the array
// Cost        a symbol that continues no phrase costs one look at a bit set: 32 KiB, or some bytes
//             for each pair of symbols that phrases start with; any other symbol looks at some
//             hundred pairs at most; opening is linear
// Threads     const after Open: share freely
// Persisted   docs/formats/language.md, "Phrases"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "zhiwen/result.h"

namespace zhiwen {

class SectionFile;  // base/files/section_file.h

inline constexpr size_t kMaxPhraseLength = 32;

// Marks a place between symbols where every phrase ends. It is in no phrase.
inline constexpr uint16_t kPhraseGap = 1;

class PhraseTableBuilder {
 public:
  enum class Added { kYes, kKnown, kLength };

  // Adds a phrase. Returns kKnown when the key exists already, which keeps its output; kLength when
  // key or output is empty or longer than kMaxPhraseLength.
  Added Add(std::span<const uint32_t> key, std::span<const uint32_t> output);

  size_t size() const { return phrases_.size(); }

  // Returns the array that PhraseTable::Open reads. It is the same for the same phrases in any
  // order.
  std::vector<uint32_t> Build() const;

 private:
  std::map<std::vector<uint32_t>, std::vector<uint32_t>> phrases_;
};

class PhraseTable {
 public:
  struct Match {
    size_t length = 0;                 // symbols of the key, 0 when no phrase matches
    std::span<const uint32_t> output;  // valid as long as the array
  };

  // Creates a table without phrases.
  PhraseTable() = default;

  // Reads `array`, which must outlive the table. Fails: kUnreadable, naming the invalid part.
  static Result<PhraseTable> Open(std::span<const uint32_t> array);

  // Returns whether a phrase may start with these symbols. False is certain.
  bool MayStart(uint32_t first, uint32_t second) const {
    return HasBit(first, second) || (has_singles_ && HasBit(first, first));
  }

  // Returns the longest phrase at the start of `symbols`.
  Match FindLongest(std::span<const uint32_t> symbols) const;

  // Calls see(key, output) for every phrase, in the order of the keys.
  template <typename See>
  void ForEach(const See& see) const {
    std::vector<uint32_t> key;
    ForEachBelow(0, key, see);
  }

 private:
  static uint32_t HashOf(uint32_t first, uint32_t second) {
    return first * 0x9E3779B1U + second * 0x85EBCA77U;
  }
  // Return the bit of the first two symbols of a phrase, and the bit of these two and the third.
  uint32_t BitOf(uint32_t first, uint32_t second) const {
    return HashOf(first, second) >> bits_shift_;
  }
  bool HasBit(uint32_t first, uint32_t second) const {
    const uint32_t bit = BitOf(first, second);
    return !starts_.empty() && (starts_[bit >> 6] >> (bit & 63) & 1) != 0;
  }
  void SetBit(uint32_t first, uint32_t second) {
    const uint32_t bit = BitOf(first, second);
    starts_[bit >> 6] |= uint64_t{1} << (bit & 63);
  }

  std::span<const uint32_t> OutputOf(size_t node) const {
    return outputs_.subspan(output_firsts_[node], output_firsts_[node + 1] - output_firsts_[node]);
  }
  Status Check() const;
  Status MakeStarts();

  // Phrases of two or more symbols are found by their first two symbols at once.
  struct Pair {
    uint32_t first = 0, second = 0;
    uint32_t node : 26 = 0;        // 0: an empty slot
    uint32_t output_size : 6 = 0;  // of the phrase of these two symbols
    uint32_t output_first : 31 = 0;
    // Whether longer phrases begin with these two symbols.
    uint32_t goes_on : 1 = 0;
  };

  size_t WantedSlot(uint32_t first, uint32_t second) const {
    uint32_t hash = HashOf(first, second);
    // Hashes of regular patterns would otherwise be adjacent.
    hash = (hash ^ hash >> 15) * 0x2C1B3C6DU;
    return hash >> pairs_shift_;
  }
  // Returns the slot of a pair, or the empty slot where it would be.
  size_t SlotOf(uint32_t first, uint32_t second) const {
    size_t at = WantedSlot(first, second);
    while (pairs_[at].node != 0 && (pairs_[at].first != first || pairs_[at].second != second)) {
      at = (at + 1) & (pairs_.size() - 1);
    }
    return at;
  }
  size_t LongestRun() const;
  uint32_t NodeBelow(size_t node, uint32_t symbol) const;  // 0 when there is none

  template <typename See>
  void ForEachBelow(size_t node, std::vector<uint32_t>& key, const See& see) const {
    for (uint32_t edge = firsts_[node]; edge < firsts_[node + 1]; ++edge) {
      key.push_back(symbols_[edge]);
      const std::span<const uint32_t> output = OutputOf(edge + 1);
      if (!output.empty()) see(std::span<const uint32_t>(key), output);
      ForEachBelow(edge + 1, key, see);
      key.pop_back();
    }
  }

  // Nodes are numbered level by level, and edge e leads to node e + 1. The edges of node n are
  // firsts_[n] to firsts_[n + 1], with ascending symbols. Outputs are found in the same way by
  // output_firsts_; a node where no phrase ends has none.
  std::span<const uint32_t> firsts_, symbols_, output_firsts_, outputs_;
  std::vector<uint64_t> starts_;
  uint32_t bits_shift_ = 0;
  std::vector<Pair> pairs_;  // a hash table with at least a third of its slots empty
  uint32_t pairs_shift_ = 0;
  bool has_singles_ = false;
};

// Opens the table in a section of a file. Fails: kUnreadable, naming the section.
Result<PhraseTable> OpenPhraseTable(const SectionFile& sections, std::string_view name);

}  // namespace zhiwen

#endif  // ZHIWEN_TEXT_PHRASE_PHRASE_TABLE_H_
