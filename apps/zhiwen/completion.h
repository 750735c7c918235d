#ifndef ZHIWEN_APPS_ZHIWEN_COMPLETION_H_
#define ZHIWEN_APPS_ZHIWEN_COMPLETION_H_

// Scripts that complete command lines in a shell, from the same descriptions as the help: names of
// commands and options, values of options, paths.
//
// Out         a script for one shell that needs nothing but the shell, and runs no program
// Guarantees  after "--" only arguments are offered; `--mode n` and `--mode=n` complete alike
// Threads     free functions

#include <span>
#include <string>

#include "command.h"

namespace zhiwen {

std::string BashCompletion(std::span<const CommandSpec> commands);
std::string ZshCompletion(std::span<const CommandSpec> commands);
std::string FishCompletion(std::span<const CommandSpec> commands);

// What can stand in a place of a command line.
enum class Offer : uint8_t { kNothing, kWords, kFiles, kFolders };

struct Completion {
  Offer offer = Offer::kNothing;
  std::vector<std::string> words;  // of kWords
};

Completion CompletionOfValue(const OptionSpec& option);
// The first argument is offered ArgumentSpec::first instead, where there are such words.
Completion CompletionOfArguments(const CommandSpec& command, std::span<const CommandSpec> all);
Completion CompletionOfFirst(const CommandSpec& command);

// `text` in single quotes, as bash and zsh read it.
std::string QuoteForShell(std::string_view text);

}  // namespace zhiwen

#endif  // ZHIWEN_APPS_ZHIWEN_COMPLETION_H_
