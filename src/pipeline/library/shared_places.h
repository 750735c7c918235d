#ifndef ZHIWEN_PIPELINE_LIBRARY_SHARED_PLACES_H_
#define ZHIWEN_PIPELINE_LIBRARY_SHARED_PLACES_H_

// How many different texts share each symbol of a checked text: what many share is a set phrase.
// Copies of one text are one: they say the same before or behind a passage, too.
//
// In          the passages of each document that was compared, on one channel
// Out         by symbol the number n of texts that share it, and what a passage weighs when each
//             of its symbols counts 1/n³ of its weight
// Guarantees  the same for any order of the documents
// Cost        linear in the equal stretches of all passages
// Threads     one at a time; const functions from many threads after Count

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "match/passages/channel_passages.h"

namespace zhiwen {

class SharedPlaces {
 public:
  // Takes the passages of a text of the library, and its symbols.
  void Add(std::span<const ChannelPassage> passages, std::span<const uint32_t> original);

  // Counts for each of the symbols of the checked text the texts that were added.
  void Count(size_t symbols);

  // Returns what a symbol of this weight counts at a place: all of it, where at most one text was
  // found to share it.
  double Rare(size_t symbol, double weight) const {
    const double texts = symbol < counts_.size() && counts_[symbol] > 1 ? counts_[symbol] : 1;
    return weight / (texts * texts * texts);
  }

  // Returns what the equal stretches of a passage weigh: each symbol at its place, and as it is.
  struct Weight {
    double rare = 0, whole = 0;
    double share() const { return whole == 0 ? 1 : rare / whole; }
  };
  Weight WeightOf(const ChannelPassage& passage, std::span<const float> weights) const;

  // Adds symbols, half open, that weigh 1 each where no weights are given.
  void AddTo(Weight& weight, uint64_t begin, uint64_t end,
             std::span<const float> weights = {}) const;

 private:
  size_t RootOf(size_t text);
  void JoinAt(uint64_t context, size_t text);

  std::vector<std::vector<std::pair<uint32_t, uint32_t>>> stretches_;  // by text, half open
  std::vector<size_t> parents_;                                        // of texts that are one
  std::unordered_map<uint64_t, size_t> by_context_;                    // the first text that has it
  std::vector<uint32_t> counts_;                                       // by symbol
};

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_LIBRARY_SHARED_PLACES_H_
