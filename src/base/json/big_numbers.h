#ifndef ZHIWEN_BASE_JSON_BIG_NUMBERS_H_
#define ZHIWEN_BASE_JSON_BIG_NUMBERS_H_

// Numbers that do not fit into 64 bits are valid JSON, and simdjson rejects them. A value that
// holds some is parsed once more with those numbers quoted: "<marker>1e400" is a string that the
// reader recognises by the marker.

#include <optional>
#include <string>
#include <string_view>

namespace zhiwen {

// Returns `json` with every number beyond int64, uint64 and double as a string that starts with
// `marker` (plain ASCII); nothing when it holds none. What is not valid JSON stays invalid.
std::optional<std::string> QuoteBigNumbers(std::string_view json, std::string_view marker);

// The value of a number that was quoted: the nearest double, or an infinity.
double BigNumberValue(std::string_view digits);

}  // namespace zhiwen

#endif  // ZHIWEN_BASE_JSON_BIG_NUMBERS_H_
