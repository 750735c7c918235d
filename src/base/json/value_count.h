#ifndef ZHIWEN_BASE_JSON_VALUE_COUNT_H_
#define ZHIWEN_BASE_JSON_VALUE_COUNT_H_

// How many values a JSON text has, before it is parsed: a parser keeps some bytes for each, which
// for a text of numbers are many times its own.
//
// In          any bytes; of what is not JSON any number comes out
// Cost        a pass over what is outside of strings, a search for their ends inside

#include <cstdint>
#include <string_view>

namespace zhiwen {

// Counts what stands before a value or a name: commas, colons, opening brackets.
uint64_t CountJsonValues(std::string_view json);

}  // namespace zhiwen

#endif  // ZHIWEN_BASE_JSON_VALUE_COUNT_H_
