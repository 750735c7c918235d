#ifndef ZHIWEN_PIPELINE_COMPARE_NOMINATED_PAIRS_H_
#define ZHIWEN_PIPELINE_COMPARE_NOMINATED_PAIRS_H_

// The pairs of texts that are worth comparing: they have a block of symbols in common. Those with
// more blocks that few texts have come first, because set phrases are in many.
//
// Guarantees  every pair with a common block is nominated
// Cost        memory: two bytes and a bit for each two texts, 16 bytes a block of a channel. Time:
//             sorting the blocks of a channel
// Threads     one at a time

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace zhiwen {

// A block that few texts have.
inline constexpr size_t kMostTextsOfRareBlock = 64;

struct BlockOfText {
  uint64_t hash = 0;
  uint32_t text = 0;

  friend auto operator<=>(const BlockOfText&, const BlockOfText&) = default;
};

struct NominatedPair {
  uint32_t first = 0, second = 0;  // first < second
  uint32_t rare = 0;               // blocks that both have and few others, at most 65,535

  friend bool operator==(const NominatedPair&, const NominatedPair&) = default;
};

// Returns the distinct blocks of `length` symbols of a text, ascending. A text of fewer symbols is
// one block, which only the same text has.
std::vector<BlockOfText> BlocksOfText(std::span<const uint32_t> symbols, size_t length,
                                      uint32_t text);

class PairNominator {
 public:
  explicit PairNominator(size_t texts);

  // Takes the blocks of all texts on one channel, in any order.
  void Add(std::vector<BlockOfText> blocks);

  // How many pairs have a block in common.
  uint64_t count() const;

  // Returns the `most` pairs with most rare blocks, of equal ones the first; ascending.
  std::vector<NominatedPair> Take(uint64_t most) const;

 private:
  void Nominate(std::span<const BlockOfText> texts);
  template <typename Visit>
  void VisitPairs(const Visit& visit) const;

  size_t texts_, words_;
  std::vector<uint64_t> has_common_;  // a row of bits for each text: the texts after it
  std::vector<uint16_t> rare_;        // by first · texts + second
  std::vector<uint64_t> group_;       // the texts that have a block
};

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_COMPARE_NOMINATED_PAIRS_H_
