#ifndef ZHIWEN_TEXT_OPERATORS_H_
#define ZHIWEN_TEXT_OPERATORS_H_

// Decides which operators are units of folded.v3: 38/12 is not 38-12, and a*b{x} is not a/b[x],
// while well-known is well known and **word** is word. docs/formats/channels.md is the definition.
//
// Guarantees  the decision depends on the line of the operator alone, at most kOperatorReach
//             characters before and after it
// Cost        some ten nanoseconds an operator; none for other characters
// Threads     free function; share freely

#include <cstddef>
#include <cstdint>

#include "text/fold_table.h"

namespace zhiwen {

inline constexpr size_t kOperatorReach = 16;  // characters

// The bytes of a whole text.
struct TextBytes {
  const uint8_t* begin;
  const uint8_t* end;
};

// Returns whether the operator at `at`, which ends at `after`, is a unit of `text`. `table` has
// operators and maps the character to `op`.
bool IsOperatorUnit(const FoldTable& table, TextBytes text, const uint8_t* at, const uint8_t* after,
                    uint32_t op);

}  // namespace zhiwen

#endif  // ZHIWEN_TEXT_OPERATORS_H_
