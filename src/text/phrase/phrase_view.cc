#include "text/phrase/phrase_view.h"

#include <algorithm>

#include "text/fold.h"
#include "text/phrase/phrase_replacer.h"

namespace zhiwen {

void PhraseView::Classify(std::span<uint32_t> symbols) const {
  if (parts_.classes.empty()) return;
  for (uint32_t& symbol : symbols) {
    const uint32_t at = symbol - kFirstClassed;
    if (at < parts_.classes.size()) symbol = parts_.classes[at];
  }
}

void PhraseView::Visit(std::string_view utf8, const SymbolVisitor& visit) const {
  const auto take = [&](std::span<uint32_t> symbols) {
    Classify(symbols);
    visit(symbols);
  };
  PhraseReplacer<decltype(take)> replacer(parts_.table, take);
  const SymbolVisitor add = [&](std::span<const uint32_t> symbols) { replacer.Add(symbols); };
  const ChannelView& folded = BaseFoldedChannel().view();
  for (size_t at = 0; at < utf8.size();) {
    const size_t end = std::min(utf8.find('\n', at), utf8.size());
    if (end > at) folded.Visit(utf8.substr(at, end - at), add);
    replacer.EndLine();
    at = end + 1;
  }
  replacer.Flush();
}

SpannedSymbols PhraseView::Explain(std::string_view utf8) const {
  const SpannedSymbols folded = BaseFoldedChannel().view().Explain(utf8);
  SpannedSymbols result;
  result.disguise = folded.disguise;
  const std::span<const uint32_t> symbols = folded.symbols;
  const auto keep = [&](size_t at) {
    result.symbols.push_back(symbols[at]);
    result.spans.push_back(folded.spans[at]);
  };
  const auto replace = [&](size_t at, const PhraseTable::Match& match) {
    const ByteSpan span{folded.spans[at].begin, folded.spans[at + match.length - 1].end};
    result.symbols.insert(result.symbols.end(), match.output.begin(), match.output.end());
    result.spans.insert(result.spans.end(), match.output.size(), span);
    const bool changed = !std::ranges::equal(symbols.subspan(at, match.length), match.output);
    result.disguise.*parts_.count += changed ? 1 : 0;
  };
  for (size_t begin = 0; begin < symbols.size();) {
    const uint64_t line_end =
        std::min(utf8.find('\n', folded.spans[begin].begin.value), utf8.size());
    size_t end = begin;
    while (end < symbols.size() && folded.spans[end].begin.value < line_end) ++end;
    ReplacePhrases(parts_.table, symbols.first(end), begin, end, keep, replace);
    begin = end;
  }
  Classify(result.symbols);
  return result;
}

}  // namespace zhiwen
