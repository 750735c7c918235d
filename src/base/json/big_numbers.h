#ifndef ZHIWEN_BASE_JSON_BIG_NUMBERS_H_
#define ZHIWEN_BASE_JSON_BIG_NUMBERS_H_

// Handles numbers that do not fit into 64 bits, which are valid JSON but rejected by simdjson. A
// value that contains such numbers is parsed again with those numbers quoted: "<marker>1e400" is a
// string that the reader recognises by the marker.

#include <optional>
#include <string>
#include <string_view>

namespace zhiwen {

// Returns `json` with every number beyond int64, uint64 and double as a string that starts with
// `marker` (plain ASCII), or nothing when there is none. Invalid JSON stays invalid.
std::optional<std::string> QuoteBigNumbers(std::string_view json, std::string_view marker);

// Returns the value of a quoted number: the nearest double, or an infinity.
double BigNumberValue(std::string_view digits);

}  // namespace zhiwen

#endif  // ZHIWEN_BASE_JSON_BIG_NUMBERS_H_
