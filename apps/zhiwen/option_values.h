#ifndef ZHIWEN_APPS_ZHIWEN_OPTION_VALUES_H_
#define ZHIWEN_APPS_ZHIWEN_OPTION_VALUES_H_

// The values of options as people type them. Fails, all of them: kInvalidArgument, quoting what was
// typed and saying what is accepted.

#include <cstdint>
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

// A whole number in `range`.
Result<uint64_t> ParseCount(std::string_view text, const CountRange& range);

// A decimal number such as 0.8; no exponent, no infinity.
Result<double> ParseDecimal(std::string_view text);

// "8G", "512M", "64K" or bytes: a size in units of 1024.
Result<uint64_t> ParseBytes(std::string_view text);

// "N" fails a run above N failed records, "P%" above that share of the records read.
Result<FailureLimit> ParseFailureLimit(std::string_view text);

// "none" is 0, otherwise a number from 1 to 100000: how many an audit checks of each kind.
Result<uint64_t> ParseAudit(std::string_view text);

// "title, content": at least one name, none of them empty; spaces around a name are no part of it.
Result<std::vector<std::string>> ParseNames(std::string_view text);

// One of the values that an option can have.
template <typename Value>
struct Choice {
  std::string name;
  Value value;
};

// "near (default), exact"; `usual` is the default.
std::string ListChoices(std::span<const std::string> names, std::string_view usual);

// The error of a word that is none of `names`.
tl::unexpected<Error> NotAChoice(std::string_view text, std::span<const std::string> names);

template <typename Value>
std::vector<std::string> NamesOf(const std::vector<Choice<Value>>& choices) {
  std::vector<std::string> names;
  for (const Choice<Value>& choice : choices) names.push_back(choice.name);
  return names;
}

// The name of `value`, empty when it is none of `choices`.
template <typename Value>
std::string NameOfChoice(const std::vector<Choice<Value>>& choices, const Value& value) {
  for (const Choice<Value>& choice : choices) {
    if (choice.value == value) return choice.name;
  }
  return "";
}

// The value whose name `text` is.
template <typename Value>
Result<Value> ParseChoice(std::string_view text, const std::vector<Choice<Value>>& choices) {
  for (const Choice<Value>& choice : choices) {
    if (text == choice.name) return choice.value;
  }
  return NotAChoice(text, NamesOf(choices));
}

}  // namespace zhiwen

#endif  // ZHIWEN_APPS_ZHIWEN_OPTION_VALUES_H_
