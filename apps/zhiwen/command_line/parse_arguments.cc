// This is the only file that includes CLI11.
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Error.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "command_line/command_line.h"
#include "command_line/option_values.h"
#include "command_line/suggest.h"

namespace zhiwen {
namespace {

tl::unexpected<Error> Misused(const CommandSpec& spec, std::string_view problem) {
  return Fail(ErrorCode::kInvalidArgument,
              fmt::format("{} (see zhiwen {} --help)", problem, spec.name));
}

tl::unexpected<Error> UnknownOption(const CommandSpec& spec, const std::string& word) {
  if (word.starts_with("-:")) {  // named as a record of a file is
    return Misused(spec,
                   "standard input has no records to choose from; save it as a file and name "
                   "a record of that");
  }
  const std::string typed = word.substr(0, word.find('='));
  std::vector<std::string> names;
  names.reserve(spec.options.size());
  for (const OptionSpec& option : spec.options) names.push_back(LongName(option.names));
  const std::optional<std::string> meant = SuggestName(typed, names);
  return Misused(spec, fmt::format("{} has no option \"{}\"{}", spec.name, typed,
                                   meant ? fmt::format("; did you mean {}?", *meant) : ""));
}

Status TakeArguments(const CommandSpec& spec, const std::vector<std::string>& words) {
  const ArgumentSpec none;
  const ArgumentSpec& arguments = spec.arguments ? *spec.arguments : none;
  if (words.size() > arguments.at_most) {
    return Misused(spec,
                   fmt::format("{} does not take \"{}\"", spec.name, words[arguments.at_most]));
  }
  if (words.size() < arguments.at_least) {
    return Misused(spec, fmt::format("{} needs {}", spec.name, arguments.name));
  }
  if (arguments.values != nullptr) *arguments.values = words;
  return {};
}

Status TakeOption(const CommandSpec& spec, const OptionSpec& option, const CLI::Option& parsed) {
  if (option.value.empty()) {
    const std::vector<std::string>& given = parsed.results();
    const auto value = std::find_if(given.begin(), given.end(),
                                    [](const std::string& text) { return text != "true"; });
    if (value != given.end()) {
      return Misused(spec, fmt::format("{} takes no value", LongName(option.names)));
    }
    return given.empty() ? Status() : option.take("");
  }
  if (parsed.results().size() > 1 && option.repeat == Repeat::kRefused) {
    return Misused(spec, fmt::format("{} is given {} times, and only one would count; give it once",
                                     LongName(option.names), parsed.results().size()));
  }
  for (const std::string& value : parsed.results()) {
    if (value.empty() && !option.takes_empty) {
      return Misused(spec, fmt::format("{} is given an empty value; give one, or leave it out",
                                       LongName(option.names)));
    }
    if (const Status taken = option.take(value); !taken) {
      return Misused(spec, fmt::format("{}: {}", LongName(option.names), taken.error().message));
    }
  }
  return {};
}

// Declares the options to CLI11, in the order of spec.options.
std::vector<CLI::Option*> Declare(const CommandSpec& spec, CLI::App& app) {
  std::vector<CLI::Option*> declared;
  for (const OptionSpec& option : spec.options) {
    if (option.value.empty()) {
      declared.push_back(app.add_flag(option.names));
    } else {
      CLI::Option* added = app.add_option(option.names);
      added->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
      declared.push_back(added->allow_extra_args(false));
    }
  }
  return declared;
}

// Splits "--name=" into two words, the second one empty. CLI11 would otherwise take the next word
// as the value.
std::vector<std::string> SplitEmptyValues(const CommandSpec& spec,
                                          std::span<const std::string> words) {
  std::set<std::string, std::less<>> with_value;
  for (const OptionSpec& option : spec.options) {
    if (option.value.empty()) continue;
    for (std::string& name : SplitNames(option)) with_value.insert(std::move(name));
  }
  std::vector<std::string> out;
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    const std::string name = word.substr(0, word.find('='));
    if (word.starts_with("--") && word.size() == name.size() + 1 && with_value.contains(name)) {
      out.push_back(name);
      out.emplace_back();
      continue;
    }
    out.push_back(word);
    const bool is_followed = with_value.contains(word) && i + 1 < words.size();
    if (is_followed) out.push_back(words[++i]);  // the option's value, whatever it looks like
  }
  return out;
}

}  // namespace

Status ParseArguments(const CommandSpec& spec, std::span<const std::string> words) {
  const auto end = std::find(words.begin(), words.end(), "--");
  std::vector<std::string> reversed = SplitEmptyValues(spec, {words.begin(), end});
  std::reverse(reversed.begin(), reversed.end());

  CLI::App app;
  app.set_help_flag();
  app.allow_extras();
  std::vector<CLI::Option*> declared;
  try {
    declared = Declare(spec, app);
    app.parse(std::move(reversed));
  } catch (const CLI::ArgumentMismatch& mismatch) {
    std::string what = mismatch.what();
    return Misused(spec, fmt::format("{} needs a value", what.substr(0, what.find(':'))));
  } catch (const CLI::Error& error) {
    return Misused(spec, error.what());
  }
  std::vector<std::string> arguments = app.remaining();
  for (const std::string& word : arguments) {
    if (word.size() > 1 && word[0] == '-') return UnknownOption(spec, word);
  }
  if (end != words.end()) arguments.insert(arguments.end(), end + 1, words.end());
  for (size_t i = 0; i < declared.size(); ++i) {
    ZHIWEN_RETURN_IF_ERROR(TakeOption(spec, spec.options[i], *declared[i]));
  }
  return TakeArguments(spec, arguments);
}

}  // namespace zhiwen
