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

#include "base/utf8/utf8.h"
#include "text/fold_table.h"

namespace zhiwen {

inline constexpr size_t kOperatorReach = 16;  // characters

// The bytes of a whole text.
struct TextBytes {
  const uint8_t* begin;
  const uint8_t* end;
};

// Returns whether `text` begins with a Han character of three bytes.
inline bool BeginsWithHan(const FoldTable& table, TextBytes text) {
  if (text.end - text.begin < 3 || !IsHanLead(*text.begin)) return false;
  const DecodedCodePoint decoded = DecodeCodePoint(text.begin, text.end);
  return decoded.length == 3 && table.LookUp(decoded.code_point).fold_class() == FoldClass::kHan;
}

// Returns whether one stands directly before `at`. No operator there is a unit.
inline bool FollowsHan(const FoldTable& table, TextBytes text, const uint8_t* at) {
  return at - text.begin >= 3 && BeginsWithHan(table, {at - 3, at});
}

// Returns whether `text` begins with U+2010–U+2015 or U+FF01: the operators that Chinese has most.
inline bool IsWideProse(TextBytes text) {
  if (text.end - text.begin < 3) return false;
  const uint8_t* at = text.begin;
  return (at[0] == 0xE2 && at[1] == 0x80 && at[2] >= 0x90 && at[2] <= 0x95) ||
         (at[0] == 0xEF && at[1] == 0xBC && at[2] == 0x81);
}

// Returns whether the character at `at` is an operator that is a unit of `text`. `table` has
// operators, and `op` is what it makes of a cluster that begins there.
bool IsOperatorUnit(const FoldTable& table, TextBytes text, const uint8_t* at, uint32_t op);

}  // namespace zhiwen

#endif  // ZHIWEN_TEXT_OPERATORS_H_
