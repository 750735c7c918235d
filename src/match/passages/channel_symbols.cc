#include "match/passages/channel_symbols.h"

#include <algorithm>
#include <utility>

#include "match/passages/symbol_weights.h"
#include "text/channel_view.h"

namespace zhiwen {
namespace {

// A syllable in letters says less than the character that it spells.
constexpr WordWeights kWeightsOfSpelled = {.character = 0.35, .most = 0.7};

struct SymbolsOfRenaming {
  std::vector<uint32_t> in_a, in_b;
};

std::vector<SymbolsOfRenaming> SymbolsOf(const Channel& channel,
                                         std::span<const Renaming> renamed) {
  std::vector<SymbolsOfRenaming> symbols(renamed.size());
  for (size_t i = 0; i < renamed.size(); ++i) {
    channel.view().ComputeInto(renamed[i].in_a, symbols[i].in_a);
    channel.view().ComputeInto(renamed[i].in_b, symbols[i].in_b);
  }
  return symbols;
}

}  // namespace

Result<ChannelSymbols> ChannelSymbols::Create(const Channel& channel, std::string_view text) {
  ZHIWEN_ASSIGN_OR_RETURN(SpannedSymbols symbols, ComputeSymbols(channel, text));
  return ChannelSymbols(channel, text, std::move(symbols));
}

ChannelSymbols::ChannelSymbols(const Channel& channel, std::string_view text,
                               SpannedSymbols symbols)
    : text_(text), symbols_(std::move(symbols.symbols)), spans_(std::move(symbols.spans)) {
  Weigh(channel);
}

void ChannelSymbols::Weigh(const Channel& channel) {
  const bool is_spelled = channel.view().reads_chinese_only();
  weights_ = ComputeSymbolWeights(text_, spans_, is_spelled ? kWeightsOfSpelled : WordWeights());
}

void ChannelSymbols::Undo(const Channel& channel, std::span<const Renaming> renamed) {
  const std::vector<SymbolsOfRenaming> names = SymbolsOf(channel, renamed);
  std::vector<uint32_t> symbols;
  std::vector<ByteSpan> spans;
  std::vector<uint32_t> renamings;
  for (size_t at = 0; at < symbols_.size();) {
    const auto name = std::ranges::find_if(names, [&](const SymbolsOfRenaming& one) {
      const std::vector<uint32_t>& in_a = one.in_a;
      return !in_a.empty() && in_a.size() <= symbols_.size() - at &&
             std::equal(in_a.begin(), in_a.end(), symbols_.begin() + static_cast<ptrdiff_t>(at));
    });
    if (name == names.end()) {
      symbols.push_back(symbols_[at]);
      spans.push_back(spans_[at]);
      renamings.push_back(0);
      ++at;
      continue;
    }
    const size_t count = name->in_b.size();
    for (size_t i = 0; i < count; ++i) {
      symbols.push_back(name->in_b[i]);
      spans.push_back(spans_[at + i * name->in_a.size() / count]);
      renamings.push_back(static_cast<uint32_t>(name - names.begin() + 1));
    }
    at += name->in_a.size();
  }
  symbols_ = std::move(symbols);
  spans_ = std::move(spans);
  renamings_ = std::move(renamings);
  Weigh(channel);
}

ByteSpan ChannelSymbols::HullOf(uint32_t begin, uint32_t end) const {
  if (begin < end) return {spans_[begin].begin, spans_[end - 1].end};
  const ByteOffset place = begin == 0 ? ByteOffset() : spans_[begin - 1].end;
  return {place, place};
}

}  // namespace zhiwen
