#ifndef ZHIWEN_DISPLAY_H_
#define ZHIWEN_DISPLAY_H_

// Columns on a terminal: a Han character takes two, a combining mark none (Unicode UAX #11); and
// where UTF-8 can be cut.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace zhiwen {

// Returns the columns of `utf8`; control characters count 0.
size_t DisplayWidth(std::string_view utf8);

// Returns the longest prefix of whole grapheme clusters of at most `columns` columns.
std::string_view TruncateToWidth(std::string_view utf8, size_t columns);

// Returns an end of whole grapheme clusters of at most `columns` columns.
std::string_view EndToWidth(std::string_view utf8, size_t columns);

// Returns the first, or the last, code points of `utf8` that are at most `bytes` long together.
std::string_view FirstBytes(std::string_view utf8, size_t bytes);
std::string_view LastBytes(std::string_view utf8, size_t bytes);

// Reads the code point at `at` and moves behind it; a broken sequence reads as U+FFFD.
uint32_t NextCodePoint(std::string_view utf8, size_t& at);

// Returns `utf8` cut or padded with spaces on the right to exactly `columns` columns; a cut text
// ends in "…".
std::string FitToWidth(std::string_view utf8, size_t columns);

// Returns `utf8` with control characters replaced by visible ones (␀, ␛, ↵ for a line end), so that
// no text can steer the terminal.
std::string MakePrintable(std::string_view utf8);

// Returns the code points of what cannot be seen: "U+200B U+FE0F".
std::string NameCodePoints(std::string_view utf8);

}  // namespace zhiwen

#endif  // ZHIWEN_DISPLAY_H_
