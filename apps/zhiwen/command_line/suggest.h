#ifndef ZHIWEN_APPS_ZHIWEN_COMMAND_LINE_SUGGEST_H_
#define ZHIWEN_APPS_ZHIWEN_COMMAND_LINE_SUGGEST_H_

// Finds the known name that a mistyped one is closest to, for "did you mean …?".

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace zhiwen {

// Returns the name that `typed` is a prefix of, or the one with the fewest inserted, deleted,
// replaced or swapped letters. Returns nothing when all names differ too much for a typing error.
std::optional<std::string> SuggestName(std::string_view typed, std::span<const std::string> names);

}  // namespace zhiwen

#endif  // ZHIWEN_APPS_ZHIWEN_COMMAND_LINE_SUGGEST_H_
