#ifndef ZHIWEN_FUZZ_CHANNEL_CHECK_H_
#define ZHIWEN_FUZZ_CHANNEL_CHECK_H_

// What the explaining form of a channel says of any text.

#include <string_view>

#include "require.h"
#include "text/channel_view.h"

namespace zhiwen {

// Requires a span a symbol; spans ascend and lie inside the text.
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

}  // namespace zhiwen

#endif  // ZHIWEN_FUZZ_CHANNEL_CHECK_H_
