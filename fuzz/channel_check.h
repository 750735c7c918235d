#ifndef ZHIWEN_FUZZ_CHANNEL_CHECK_H_
#define ZHIWEN_FUZZ_CHANNEL_CHECK_H_

// What holds of any text on any channel.

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "require.h"
#include "text/channel_view.h"

namespace zhiwen {

// Requires of the explaining form a span a symbol; spans ascend and lie inside the text.
inline SpannedSymbols ExplainChecked(const Channel& channel, std::string_view text) {
  SpannedSymbols read = channel.view().Explain(text);
  Require(read.spans.size() == read.symbols.size());
  ByteSpan last;
  for (const ByteSpan& span : read.spans) {
    Require(span.begin < span.end && span.end.value <= text.size());
    Require(last.begin <= span.begin && last.end <= span.end);
    last = span;
  }
  return read;
}

// Requires that the fast form gives `symbols`, of the whole text, in the smallest pieces, so that
// their borders are many, and of its lines.
inline void RequireSymbols(const Channel& channel, std::string_view text,
                           const std::vector<uint32_t>& symbols) {
  std::vector<uint32_t> whole, in_pieces, of_lines;
  channel.view().ComputeInto(text, whole);
  Require(whole == symbols);
  channel.view().VisitPieces(text, kSmallestPiece, [&](std::span<const uint32_t> piece) {
    in_pieces.insert(in_pieces.end(), piece.begin(), piece.end());
  });
  Require(in_pieces == symbols);
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    channel.view().ComputeInto(text.substr(0, end), of_lines);
    text.remove_prefix(end);
  }
  Require(of_lines == symbols);
}

}  // namespace zhiwen

#endif  // ZHIWEN_FUZZ_CHANNEL_CHECK_H_
