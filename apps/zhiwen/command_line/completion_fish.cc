#include <fmt/format.h>

#include "command_line/completion.h"

namespace zhiwen {
namespace {

constexpr std::string_view kFishHead =
    R"script(# fish completion for zhiwen, made by: zhiwen completion fish

# Whether the command line so far is `zhiwen COMMAND ...`; without a word: only `zhiwen`.
function __zhiwen_command
    set -l words (commandline -opc)
    if test (count $argv) -eq 0
        test (count $words) -eq 1
    else
        test (count $words) -ge 2; and test $words[2] = $argv[1]
    end
end

# Whether the word that is completed is the first behind the command.
function __zhiwen_first
    test (count (commandline -opc)) -eq 2
end

complete -c zhiwen -f
complete -c zhiwen -n __zhiwen_command -l help -d 'Show what there is'
complete -c zhiwen -n __zhiwen_command -l version -d 'Show the version'
)script";

// Returns `text` in single quotes, as fish reads it.
std::string Quote(std::string_view text) {
  std::string out = "'";
  for (const char letter : text) {
    if (letter == '\'' || letter == '\\') out += '\\';
    out += letter;
  }
  return out + "'";
}

// Returns the arguments of `complete` that offer `completion`.
std::string FishAction(const Completion& completion) {
  switch (completion.offer) {
    case Offer::kNothing:
      return "";
    case Offer::kFiles:
      return " -F";
    case Offer::kFolders:
      return " -a '(__fish_complete_directories)'";
    case Offer::kWords:
      break;
  }
  return fmt::format(" -a '{}'", fmt::join(completion.words, " "));
}

std::string ArgumentLines(const CommandSpec& command, std::span<const CommandSpec> all) {
  const std::string arguments = FishAction(CompletionOfArguments(command, all));
  if (arguments.empty()) return "";
  const std::string start = fmt::format("complete -c zhiwen -n '__zhiwen_command {}", command.name);
  const Completion first = CompletionOfFirst(command);
  if (first.offer == Offer::kNothing) return fmt::format("{}'{}\n", start, arguments);
  return fmt::format("{0}; and __zhiwen_first'{1}\n{0}; and not __zhiwen_first'{2}\n", start,
                     FishAction(first), arguments);
}

std::string OptionLine(const std::string& start, const OptionSpec& option) {
  std::string out = start;
  for (const std::string& name : SplitNames(option)) {
    out += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  }
  if (!option.value.empty()) {
    const Completion value = CompletionOfValue(option);
    // -x requires a value and offers no other files than those listed.
    out += (value.offer == Offer::kFiles ? " -r" : " -x") + FishAction(value);
  }
  return fmt::format("{} -d {}\n", out, Quote(option.help));
}

}  // namespace

std::string FishCompletion(std::span<const CommandSpec> commands) {
  std::string out(kFishHead);
  for (const CommandSpec& command : commands) {
    out += fmt::format("\ncomplete -c zhiwen -n __zhiwen_command -a {} -d {}\n", command.name,
                       Quote(command.summary));
    const std::string start =
        fmt::format("complete -c zhiwen -n '__zhiwen_command {}'", command.name);
    out += ArgumentLines(command, commands);
    for (const OptionSpec& option : command.options) out += OptionLine(start, option);
  }
  return out;
}

}  // namespace zhiwen
