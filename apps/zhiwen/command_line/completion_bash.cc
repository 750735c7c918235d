#include <fmt/format.h>

#include "command_line/completion.h"

namespace zhiwen {
namespace {

// $word is the word to complete, $before is the word before it. COMP_WORDBREAKS splits "--mode=n"
// into three words.
constexpr std::string_view kBashHead =
    R"script(# bash completion for zhiwen, made by: zhiwen completion bash

# _zhiwen_offer COMPGEN_ARGUMENT...: what compgen makes of the word, a line each; none is no offer.
_zhiwen_offer() {
  local found
  found=$(compgen "$@" -- "$word") && mapfile -t COMPREPLY <<<"$found"
}

_zhiwen_paths() {
  compopt -o filenames 2>/dev/null
  _zhiwen_offer "$1"
}

_zhiwen_words() { _zhiwen_offer -W "$1"; }

_zhiwen() {
  local word=${COMP_WORDS[COMP_CWORD]} before="" command=${COMP_WORDS[1]} only_arguments="" i
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    _zhiwen_words '@COMMANDS@ --help --version'
    return
  fi
  for ((i = 2; i < COMP_CWORD; i++)); do
    [[ ${COMP_WORDS[i]} != -- ]] || only_arguments=yes
  done
  if [[ $word == = ]]; then
    word="" before=${COMP_WORDS[COMP_CWORD - 1]}
  elif [[ ${COMP_WORDS[COMP_CWORD - 1]} == = ]]; then
    before=${COMP_WORDS[COMP_CWORD - 2]}
  elif ((COMP_CWORD > 2)); then
    before=${COMP_WORDS[COMP_CWORD - 1]}
  fi
  if [[ -z $only_arguments ]]; then
    case "$command $before" in
)script";

constexpr std::string_view kBashMiddle = R"script(    esac
    if [[ $word == -* ]]; then
      case $command in
)script";

constexpr std::string_view kBeforeArguments = R"script(      esac
      return
    fi
  fi
  case $command in
)script";

constexpr std::string_view kBashTail = R"script(  esac
}

complete -F _zhiwen zhiwen
)script";

// Returns the shell call that offers `completion`.
std::string Call(const Completion& completion) {
  switch (completion.offer) {
    case Offer::kNothing:
      return ":";
    case Offer::kFiles:
      return "_zhiwen_paths -f";
    case Offer::kFolders:
      return "_zhiwen_paths -d";
    case Offer::kWords:
      break;
  }
  return "_zhiwen_words " + QuoteForShell(fmt::format("{}", fmt::join(completion.words, " ")));
}

// Returns patterns such as "    'dedup -o' | 'dedup --output')", each with the call for the
// option's values.
std::string ValueCases(const CommandSpec& command) {
  std::string out;
  for (const OptionSpec& option : command.options) {
    if (option.value.empty()) continue;
    std::string pattern;
    for (const std::string& name : SplitNames(option)) {
      pattern += fmt::format("{}'{} {}'", pattern.empty() ? "" : " | ", command.name, name);
    }
    out += fmt::format("      {})\n        {}\n        return\n        ;;\n", pattern,
                       Call(CompletionOfValue(option)));
  }
  return out;
}

std::string OptionCase(const CommandSpec& command) {
  Completion names{Offer::kWords, {}};
  for (const OptionSpec& option : command.options) {
    for (std::string& name : SplitNames(option)) names.words.push_back(std::move(name));
  }
  return fmt::format("        {}) {} ;;\n", command.name, Call(names));
}

std::string ArgumentCase(const CommandSpec& command, std::span<const CommandSpec> all) {
  std::string call = Call(CompletionOfArguments(command, all));
  if (const Completion first = CompletionOfFirst(command); first.offer != Offer::kNothing) {
    call = fmt::format("if ((COMP_CWORD == 2)); then {}; else {}; fi", Call(first), call);
  }
  return fmt::format("    {}) {} ;;\n", command.name, call);
}

}  // namespace

std::string BashCompletion(std::span<const CommandSpec> commands) {
  std::string values;
  std::string options;
  std::string arguments;
  std::string names;
  for (const CommandSpec& command : commands) {
    values += ValueCases(command);
    options += OptionCase(command);
    arguments += ArgumentCase(command, commands);
    names += (names.empty() ? "" : " ") + command.name;
  }
  std::string head(kBashHead);
  constexpr std::string_view kPlace = "@COMMANDS@";
  head.replace(head.find(kPlace), kPlace.size(), names);
  return fmt::format("{}{}{}{}{}{}{}", head, values, kBashMiddle, options, kBeforeArguments,
                     arguments, kBashTail);
}

}  // namespace zhiwen
