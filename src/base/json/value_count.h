#ifndef ZHIWEN_BASE_JSON_VALUE_COUNT_H_
#define ZHIWEN_BASE_JSON_VALUE_COUNT_H_

// Counts the values of a JSON text before it is parsed. A parser keeps some bytes for each value,
// which for a text of numbers are many times the size of the text.
//
// In          any bytes; the count is arbitrary for text that is not JSON
// Cost        a pass over the bytes outside of strings, a search for their ends inside

#include <cstdint>
#include <string_view>

namespace zhiwen {

// Counts the bytes that precede a value or a name: commas, colons, opening brackets.
uint64_t CountJsonValues(std::string_view json);

}  // namespace zhiwen

#endif  // ZHIWEN_BASE_JSON_VALUE_COUNT_H_
