#include "match/passages/channel_symbols.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "match/passages/symbol_weights.h"
#include "text/channel_view.h"

namespace zhiwen {
namespace {

// A syllable in letters says less than the character that it spells.
constexpr WordWeights kWeightsOfSpelled = {.character = 0.35, .most = 0.7};

}  // namespace

NameFinder::NameFinder(std::vector<std::vector<uint32_t>> names) : names_(std::move(names)) {
  for (size_t i = 0; i < names_.size(); ++i) {
    if (!names_[i].empty()) by_first_[names_[i].front()].push_back(i);
  }
  for (auto& [first, numbers] : by_first_) {
    std::ranges::stable_sort(numbers, std::greater(), [&](size_t i) { return names_[i].size(); });
  }
}

size_t NameFinder::FindAt(std::span<const uint32_t> symbols) const {
  const auto numbers = by_first_.find(symbols.front());
  if (numbers == by_first_.end()) return kNone;
  for (const size_t i : numbers->second) {
    if (names_[i].size() > symbols.size()) continue;
    if (std::ranges::equal(names_[i], symbols.first(names_[i].size()))) return i;
  }
  return kNone;
}

SymbolSpan SymbolsIn(std::span<const ByteSpan> symbols, const ByteSpan& bytes) {
  const auto at = [&](ByteOffset byte) {
    return static_cast<uint64_t>(std::ranges::lower_bound(symbols, byte, {}, &ByteSpan::begin) -
                                 symbols.begin());
  };
  return {{at(bytes.begin)}, {at(bytes.end)}};
}

std::vector<float> WeighSymbols(const Channel& channel, std::string_view text,
                                std::span<const ByteSpan> symbols) {
  const bool is_spelled = channel.view().reads_chinese_only();
  return ComputeSymbolWeights(text, symbols, is_spelled ? kWeightsOfSpelled : WordWeights());
}

Result<ChannelSymbols> ChannelSymbols::Create(const Channel& channel, std::string_view text) {
  ZHIWEN_ASSIGN_OR_RETURN(SpannedSymbols symbols, LocateSymbols(channel, text));
  return ChannelSymbols(channel, text, std::move(symbols));
}

ChannelSymbols::ChannelSymbols(const Channel& channel, std::string_view text,
                               SpannedSymbols symbols)
    : text_(text), symbols_(std::move(symbols.symbols)), spans_(std::move(symbols.spans)) {
  weights_ = WeighSymbols(channel, text_, spans_);
}

void ChannelSymbols::Undo(const Channel& channel, std::span<const Renaming> renamed) {
  std::vector<std::vector<uint32_t>> in_a(renamed.size()), in_b(renamed.size());
  for (size_t i = 0; i < renamed.size(); ++i) {
    channel.view().ComputeInto(renamed[i].in_b, in_b[i]);
    if (!in_b[i].empty()) channel.view().ComputeInto(renamed[i].in_a, in_a[i]);
  }
  const NameFinder names(std::move(in_a));
  std::vector<uint32_t> symbols;
  std::vector<ByteSpan> spans;
  std::vector<uint32_t> renamings;
  for (size_t at = 0; at < symbols_.size();) {
    const size_t name = names.FindAt(std::span(symbols_).subspan(at));
    if (name == NameFinder::kNone) {
      symbols.push_back(symbols_[at]);
      spans.push_back(spans_[at]);
      renamings.push_back(0);
      ++at;
      continue;
    }
    const size_t size = names.SizeOf(name), count = in_b[name].size();
    for (size_t i = 0; i < count; ++i) {
      const size_t first = at + i * size / count;
      const size_t end = std::max(first + 1, at + (i + 1) * size / count);
      symbols.push_back(in_b[name][i]);
      spans.push_back({spans_[first].begin, spans_[end - 1].end});
      renamings.push_back(static_cast<uint32_t>(name + 1));
    }
    at += size;
  }
  symbols_ = std::move(symbols);
  spans_ = std::move(spans);
  renamings_ = std::move(renamings);
  weights_ = WeighSymbols(channel, text_, spans_);
}

ByteSpan ChannelSymbols::HullOf(uint32_t begin, uint32_t end) const {
  if (begin < end) return {spans_[begin].begin, spans_[end - 1].end};
  const ByteOffset place = begin == 0 ? ByteOffset() : spans_[begin - 1].end;
  return {place, place};
}

uint64_t ChannelSymbols::BytesIn(uint32_t begin, uint32_t end) const {
  uint64_t bytes = 0;
  ByteOffset counted;
  for (const ByteSpan& span : std::span(spans_).subspan(begin, end - begin)) {
    const ByteOffset from = std::max(counted, span.begin);  // symbols may have bytes in common
    if (from < span.end) bytes += span.end - from;
    counted = std::max(counted, span.end);
  }
  return bytes;
}

std::vector<SymbolSpan> ChannelSymbols::SymbolsOf(std::span<const ByteSpan> parts,
                                                  uint64_t beside) const {
  std::vector<SymbolSpan> symbols;
  for (const ByteSpan& part : parts) {
    SymbolSpan next = SymbolsIn(spans_, part);
    next.begin.value -= std::min(next.begin.value, beside);
    next.end.value = std::min<uint64_t>(next.end.value + beside, spans_.size());
    if (!symbols.empty() && next.begin <= symbols.back().end) {
      symbols.back().end = std::max(symbols.back().end, next.end);
    } else {
      symbols.push_back(next);
    }
  }
  return symbols;
}

}  // namespace zhiwen
