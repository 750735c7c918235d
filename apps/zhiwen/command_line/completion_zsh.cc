#include <fmt/format.h>

#include "command_line/completion.h"

namespace zhiwen {
namespace {

constexpr std::string_view kZshHead = R"script(#compdef zhiwen
# zsh completion for zhiwen, made by: zhiwen completion zsh

_zhiwen() {
  local -a commands=(
)script";

constexpr std::string_view kZshMiddle = R"script(  )
  if ((CURRENT == 2)); then
    _describe command commands
    _arguments '(-)--help[Show what there is]' '(-)--version[Show the version]'
    return
  fi
  local command=$words[2]
  shift words
  ((CURRENT--))
  case $command in
)script";

constexpr std::string_view kZshTail = R"script(  esac
}

# As a file of $fpath it is the function itself; sourced, it has to be named.
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  _zhiwen "$@"
else
  compdef _zhiwen zhiwen
fi
)script";

// Escapes text inside the brackets or between the colons of a specification of _arguments.
std::string Escape(std::string_view text) {
  std::string out;
  for (const char letter : text) {
    if (letter == '[' || letter == ']' || letter == ':' || letter == '\\') out += '\\';
    out += letter;
  }
  return out;
}

std::string ZshAction(const Completion& completion) {
  switch (completion.offer) {
    case Offer::kNothing:
      return " ";
    case Offer::kFiles:
      return "_files";
    case Offer::kFolders:
      return "_files -/";
    case Offer::kWords:
      break;
  }
  return fmt::format("({})", fmt::join(completion.words, " "));
}

// Returns a specification such as "'(-o --output)'{-o+,--output=}'[help]:DIR:_files -/'". Options
// with a value may be repeated.
std::string OptionWord(const OptionSpec& option) {
  const std::vector<std::string> names = SplitNames(option);
  const bool flag = option.value.empty();
  std::string rest = fmt::format("[{}]", Escape(option.help));
  if (!flag) {
    rest += fmt::format(":{}:{}", Escape(option.value), ZshAction(CompletionOfValue(option)));
  }
  const std::string prefix = flag ? fmt::format("({})", fmt::join(names, " ")) : "*";
  std::string forms;
  for (const std::string& name : names) {
    const std::string_view joined = flag ? "" : name.starts_with("--") ? "=" : "+";
    forms += fmt::format("{}{}{}", forms.empty() ? "" : ",", name, joined);
  }
  if (names.size() == 1) return QuoteForShell(prefix + forms + rest);
  return fmt::format("{}{{{}}}{}", QuoteForShell(prefix), forms, QuoteForShell(rest));
}

std::string CommandCase(const CommandSpec& command, std::span<const CommandSpec> all) {
  std::string out = fmt::format("    {})\n      _arguments -s -S", command.name);
  for (const OptionSpec& option : command.options) out += " \\\n        " + OptionWord(option);
  const auto add = [&](std::string_view place, const Completion& completion) {
    const std::string name = Escape(command.arguments->name);
    out += " \\\n        " +
           QuoteForShell(fmt::format("{}:{}:{}", place, name, ZshAction(completion)));
  };
  const Completion first = CompletionOfFirst(command);
  if (first.offer != Offer::kNothing) add("1", first);
  if (command.arguments) add("*", CompletionOfArguments(command, all));
  return out + "\n      ;;\n";
}

}  // namespace

std::string ZshCompletion(std::span<const CommandSpec> commands) {
  std::string names;
  std::string cases;
  for (const CommandSpec& command : commands) {
    names += fmt::format("    {}\n", QuoteForShell(command.name + ":" + command.summary));
    cases += CommandCase(command, commands);
  }
  return fmt::format("{}{}{}{}{}", kZshHead, names, kZshMiddle, cases, kZshTail);
}

}  // namespace zhiwen
