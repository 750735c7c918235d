#include "text/phrase/phrase_view.h"

#include <algorithm>

#include "text/explain.h"
#include "text/fold_machine.h"
#include "text/phrase/phrase_sink.h"
#include "text/phrase/stops.h"

namespace zhiwen {
namespace {

// Units are the symbols of folded, and stops separate phrases.
struct FoldedRules {
  static bool Parts(const uint8_t* begin, const uint8_t* end) { return HasStop(begin, end); }
  template <typename Add>
  static void ForEachUnit(uint32_t folded, const uint8_t* begin, const uint8_t* end,
                          const Add& add) {
    add(folded, begin, end);
  }
  static uint32_t SymbolOf(uint32_t unit) { return unit; }
};

const WideTable& PartedWideTable() {
  static const WideTable table = [] {
    WideTable parted = BaseFoldedWideTable();
    for (uint32_t code_point = 0x800; code_point < 0x10000; ++code_point) {
      uint16_t& entry = parted[code_point];
      if (entry == kFoldDropped && IsStop(code_point)) entry = kPhraseGap;
    }
    return parted;
  }();
  return table;
}

}  // namespace

void PhraseView::Classify(std::span<uint32_t> symbols) const {
  if (parts_.classes.empty()) return;
  for (uint32_t& symbol : symbols) {
    const uint32_t at = symbol - kFirstClassed;
    if (at < parts_.classes.size()) symbol = parts_.classes[at];
  }
}

void PhraseView::VisitPieces(std::string_view utf8, size_t most, const SymbolVisitor& visit) const {
  const auto take = [&](std::span<uint32_t> symbols) {
    Classify(symbols);
    visit(symbols);
  };
  using Sink = PhraseSink<FoldedRules, decltype(take)>;
  const FoldedRules rules;
  Sink sink(rules, parts_.table, PartedWideTable(), most, take);
  const auto* begin = reinterpret_cast<const uint8_t*>(utf8.data());
  FoldMachine<Sink>(sink).Run(begin, begin + utf8.size());
  sink.Flush();
}

SpannedSymbols PhraseView::Explain(std::string_view utf8) const {
  const SpannedSymbols folded = ExplainFolded(utf8, BaseFoldTable());
  SpannedSymbols result;
  result.disguise = folded.disguise;
  const std::span<const ByteSpan> spans = folded.spans;
  const std::span<const uint32_t> symbols = folded.symbols;
  const auto* bytes = reinterpret_cast<const uint8_t*>(utf8.data());
  size_t end = 0;
  for (size_t begin = 0; begin < symbols.size(); begin = end) {
    end = begin + 1;
    while (end < symbols.size() &&
           !HasStop(bytes + spans[end - 1].end.value, bytes + spans[end].begin.value)) {
      ++end;
    }
    const auto keep = [&](size_t at) {
      result.symbols.push_back(symbols[begin + at]);
      result.spans.push_back(spans[begin + at]);
    };
    const auto replace = [&](size_t at, const PhraseTable::Match& match) {
      const auto replaced = symbols.subspan(begin + at, match.length);
      const ByteSpan span{spans[begin + at].begin, spans[begin + at + match.length - 1].end};
      result.symbols.insert(result.symbols.end(), match.output.begin(), match.output.end());
      result.spans.insert(result.spans.end(), match.output.size(), span);
      result.disguise.*parts_.count += std::ranges::equal(replaced, match.output) ? 0 : 1;
    };
    ReplacePhrases(parts_.table, symbols.subspan(begin, end - begin), end - begin, keep, replace);
  }
  Classify(result.symbols);
  return result;
}

std::string PhraseView::NameIn(std::string_view source, uint32_t symbol) const {
  const auto put_in = parts_.names.find(symbol);
  return put_in == parts_.names.end() ? ChannelView::NameIn(source, symbol) : put_in->second;
}

}  // namespace zhiwen
