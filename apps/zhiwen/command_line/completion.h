#ifndef ZHIWEN_APPS_ZHIWEN_COMMAND_LINE_COMPLETION_H_
#define ZHIWEN_APPS_ZHIWEN_COMMAND_LINE_COMPLETION_H_

// Generates scripts that complete command lines in a shell: names of commands and options, values
// of options, and paths. They are generated from the same descriptions as the help.
//
// Out         a script for one shell; it needs nothing but the shell, and runs no program
// Guarantees  after "--" only arguments are offered; `--mode n` and `--mode=n` complete alike
// Threads     free functions

#include <span>
#include <string>

#include "command_line/command.h"

namespace zhiwen {

std::string BashCompletion(std::span<const CommandSpec> commands);
std::string ZshCompletion(std::span<const CommandSpec> commands);
std::string FishCompletion(std::span<const CommandSpec> commands);

// The kinds of words that a shell can offer at one place of a command line.
enum class Offer : uint8_t { kNothing, kWords, kFiles, kFolders };

struct Completion {
  Offer offer = Offer::kNothing;
  std::vector<std::string> words;  // for kWords
};

Completion CompletionOfValue(const OptionSpec& option);
Completion CompletionOfArguments(const CommandSpec& command, std::span<const CommandSpec> all);
// Returns the completion of the first argument of a command with ArgumentSpec::first.
Completion CompletionOfFirst(const CommandSpec& command);

// Returns `text` in single quotes, as bash and zsh read it.
std::string QuoteForShell(std::string_view text);

}  // namespace zhiwen

#endif  // ZHIWEN_APPS_ZHIWEN_COMMAND_LINE_COMPLETION_H_
