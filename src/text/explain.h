#ifndef ZHIWEN_TEXT_EXPLAIN_H_
#define ZHIWEN_TEXT_EXPLAIN_H_

// The explaining forms behind ComputeSymbols (zhiwen/channel.h), for bytes that were not validated.
// An invalid byte is read as U+FFFD, as in text/fold.h.

#include <string_view>

#include "text/fold_table.h"
#include "zhiwen/channel.h"

namespace zhiwen {

// Returns the symbols of `utf8` in the version of `table`, equal to those of FoldInto, with spans
// and counts.
SpannedSymbols ExplainFolded(std::string_view utf8, const FoldTable& table = NewestFoldTable());

// Returns the exact.v1 symbols of `utf8`, equal to those of ExactInto. A span covers the stretch of
// source that was normalized together, or one code point where nothing changed.
SpannedSymbols ExplainExact(std::string_view utf8);

}  // namespace zhiwen

#endif  // ZHIWEN_TEXT_EXPLAIN_H_
