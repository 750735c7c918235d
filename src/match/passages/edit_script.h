#ifndef ZHIWEN_MATCH_PASSAGES_EDIT_SCRIPT_H_
#define ZHIWEN_MATCH_PASSAGES_EDIT_SCRIPT_H_

// Says what differs between aligned symbols, and how: a stretch that is equal on some channel is a
// disguise of the kind that the channel undoes.
//
// Threads     one at a time

#include <map>
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

class EditExplainer {
 public:
  // `of_equal` is the kind of what is equal on the channel of the symbols, and on no other one.
  EditExplainer(const ChannelSymbols& a, const ChannelSymbols& b, EditKind of_equal,
                StretchKinds& kinds)
      : a_(a), b_(b), of_equal_(of_equal), kinds_(kinds) {}

  // Returns the edits of the aligned symbols of a block, ascending.
  std::vector<PassageEdit> Explain(std::span<const AlignedSymbols> pairs);

 private:
  EditKind KindOfPairs(std::span<const AlignedSymbols> pairs);
  void CompareBetween(const AlignedSymbols& before, const AlignedSymbols& next);
  void ExplainGroup(std::span<const AlignedSymbols> group);
  void AppendEdited(std::span<const AlignedSymbols> pairs);
  void Append(EditKind kind, std::span<const AlignedSymbols> pairs);

  const ChannelSymbols& a_;
  const ChannelSymbols& b_;
  const EditKind of_equal_;
  StretchKinds& kinds_;
  std::vector<PassageEdit> edits_;
  ByteOffset a_end_, b_end_;  // of what was explained
};

}  // namespace zhiwen

#endif  // ZHIWEN_MATCH_PASSAGES_EDIT_SCRIPT_H_
