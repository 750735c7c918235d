#ifndef ZHIWEN_APPS_ZHIWEN_COMMAND_LINE_OPTION_VALUES_H_
#define ZHIWEN_APPS_ZHIWEN_COMMAND_LINE_OPTION_VALUES_H_

// Parses the values of options as people type them. Every function fails with kInvalidArgument; the
// message quotes what was typed and says what is accepted.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "zhiwen/dedup.h"
#include "zhiwen/result.h"

namespace zhiwen {

struct CountRange {
  uint64_t least = 0;
  uint64_t most = INT64_MAX;
};

// Parses a whole number in `range`.
Result<uint64_t> ParseCount(std::string_view text, const CountRange& range);

// Parses a decimal number such as 0.8; no exponent, no infinity.
Result<double> ParseDecimal(std::string_view text);

// Parses a size in units of 1024: "8G", "512M", "64K", or a number of bytes.
Result<uint64_t> ParseBytes(std::string_view text);

// Parses "N" (a run fails above N failed records) or "P%" (above that share of the records read).
Result<FailureLimit> ParseFailureLimit(std::string_view text);

// Parses how many removals and kept documents an audit checks: 1 to 100000, or "none" for 0.
Result<uint64_t> ParseAudit(std::string_view text);

// Parses a share such as "0.1%", or "none" for no share.
Result<std::optional<double>> ParseShare(std::string_view text);

// Parses names such as "title, content": at least one, none empty, spaces around them dropped.
Result<std::vector<std::string>> ParseNames(std::string_view text);

// Parses a whole number of s, m, h or d, as seconds: "7d".
Result<uint64_t> ParseAge(std::string_view text);

// Parses "FIELD,AGE", where AGE is a whole number of s, m, h or d: "date,7d".
Result<std::optional<DateLimit>> ParseDateLimit(std::string_view text);

// A value that an option can have, and its name.
template <typename Value>
struct Choice {
  std::string name;
  Value value;
};

// Returns "near (default), exact", where `usual` is the default.
std::string ListChoices(std::span<const std::string> names, std::string_view usual);

// Returns the error for a word that is not one of `names`.
tl::unexpected<Error> NotAChoice(std::string_view text, std::span<const std::string> names);

template <typename Value>
std::vector<std::string> NamesOf(const std::vector<Choice<Value>>& choices) {
  std::vector<std::string> names;
  for (const Choice<Value>& choice : choices) names.push_back(choice.name);
  return names;
}

// Returns the name of `value`, or an empty string when it is not one of `choices`.
template <typename Value>
std::string NameOfChoice(const std::vector<Choice<Value>>& choices, const Value& value) {
  for (const Choice<Value>& choice : choices) {
    if (choice.value == value) return choice.name;
  }
  return "";
}

// Returns the value with the name `text`.
template <typename Value>
Result<Value> ParseChoice(std::string_view text, const std::vector<Choice<Value>>& choices) {
  for (const Choice<Value>& choice : choices) {
    if (text == choice.name) return choice.value;
  }
  return NotAChoice(text, NamesOf(choices));
}

}  // namespace zhiwen

#endif  // ZHIWEN_APPS_ZHIWEN_COMMAND_LINE_OPTION_VALUES_H_
