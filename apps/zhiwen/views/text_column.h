#ifndef ZHIWEN_APPS_ZHIWEN_VIEWS_TEXT_COLUMN_H_
#define ZHIWEN_APPS_ZHIWEN_VIEWS_TEXT_COLUMN_H_

// Wraps a passage with its context into a column of a terminal.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "terminal/terminal.h"
#include "zhiwen/offsets.h"

namespace zhiwen {

// Returns text[passage] marked, with dim context before and after, as lines of exactly `columns`
// columns each (at least 10). The passage begins in the same column for every text. Without colour,
// the passage is enclosed in ⟦ ⟧. The middle lines of a long passage are replaced by one "⋮".
// `text` must be valid UTF-8.
std::vector<std::string> WrapPassage(std::string_view text, ByteSpan passage, size_t columns,
                                     const Palette& palette);

}  // namespace zhiwen

#endif  // ZHIWEN_APPS_ZHIWEN_VIEWS_TEXT_COLUMN_H_
