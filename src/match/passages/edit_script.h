#ifndef ZHIWEN_MATCH_PASSAGES_EDIT_SCRIPT_H_
#define ZHIWEN_MATCH_PASSAGES_EDIT_SCRIPT_H_

// Says what differs between aligned symbols, and how: a stretch that is equal on some channel is a
// disguise of the kind that the channel undoes.
//
// Threads     one at a time

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "match/passages/aligned_symbols.h"
#include "match/passages/channel_symbols.h"
#include "zhiwen/channel.h"
#include "zhiwen/passages.h"

namespace zhiwen {

// Whether a character is a blank, which texts that are the same may have more or fewer of.
bool IsBlank(uint32_t code_point);

// Returns the kind of disguise that a channel undoes, by its canonical name.
EditKind KindUndoneBy(std::string_view channel);

// How stretches of b became stretches of a, by the channels on which they are equal.
class StretchKinds {
 public:
  // Stretches that no channel of these makes equal are substitutions.
  explicit StretchKinds(std::span<const Channel> channels) : channels_(channels) {}

  EditKind KindOf(std::string_view a, std::string_view b);

 private:
  EditKind ComputeKind(std::string_view a, std::string_view b) const;

  std::span<const Channel> channels_;
  std::map<std::pair<std::string, std::string>, EditKind> known_;  // of short stretches
};

// What differs between the aligned symbols of a block.
struct ExplainedBlock {
  std::vector<PassageEdit> edits = {};
  uint64_t matched = 0;  // symbols of a that are equal or disguised
};

class EditExplainer {
 public:
  // `of_equal` is the kind of what is equal on the channel of the symbols, and on no other one.
  EditExplainer(const ChannelSymbols& a, const ChannelSymbols& b, EditKind of_equal,
                StretchKinds& kinds)
      : a_(a), b_(b), of_equal_(of_equal), kinds_(kinds) {}

  // Returns the edits, ascending in both texts. What lies in none is equal but for blanks, even
  // where the channel drops it.
  ExplainedBlock Explain(std::span<const AlignedSymbols> pairs);

 private:
  // Pairs that are explained as one; without a kind, they are the same in both texts.
  struct Stretch {
    std::optional<EditKind> kind;
    uint32_t a_begin = 0, a_end = 0, b_begin = 0, b_end = 0;  // symbols; begin = end: none

    bool has_a() const { return a_begin < a_end; }
    bool has_b() const { return b_begin < b_end; }
    uint64_t symbols() const { return std::max(a_end - a_begin, b_end - b_begin); }
  };

  Stretch StretchOf(std::optional<EditKind> kind, std::span<const AlignedSymbols> pairs) const;
  std::vector<bool> FindChanged(std::span<const AlignedSymbols> pairs) const;
  bool HasTextBetween(const AlignedSymbols& before, const AlignedSymbols& next) const;
  EditKind KindOfPairs(std::span<const AlignedSymbols> pairs);
  void ExplainGroup(std::span<const AlignedSymbols> group);
  void CompareBefore(size_t stretch);
  void CompareBetween(ByteSpan a, ByteSpan b);
  void AppendStretch(const Stretch& stretch);

  const ChannelSymbols& a_;
  const ChannelSymbols& b_;
  const EditKind of_equal_;
  StretchKinds& kinds_;
  std::vector<Stretch> stretches_;
  ExplainedBlock explained_;
  ByteOffset a_end_, b_end_;  // of what was explained
};

}  // namespace zhiwen

#endif  // ZHIWEN_MATCH_PASSAGES_EDIT_SCRIPT_H_
