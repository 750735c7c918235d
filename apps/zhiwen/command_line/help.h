#ifndef ZHIWEN_APPS_ZHIWEN_COMMAND_LINE_HELP_H_
#define ZHIWEN_APPS_ZHIWEN_COMMAND_LINE_HELP_H_

// The help of the program and of its commands.

#include <span>
#include <string>
#include <string_view>

#include "command_line/command.h"
#include "terminal/terminal.h"

namespace zhiwen {

// An exit status or a variable of the environment, and its meaning.
struct Meaning {
  std::string_view name;
  std::string_view brief;  // in the help
  std::string_view full;   // in the manual page
};

std::span<const Meaning> ExitStatuses();
std::span<const Meaning> EnvironmentVariables();

// One sentence on what the program is for.
std::string_view ProgramPurpose();
std::span<const Example> ProgramExamples();

// "-o, --output"; without a short name only the long one.
std::string OptionNames(const OptionSpec& option);

// Returns the help of the program: its purpose, its commands, and where to read on.
std::string ProgramHelp(std::span<const CommandSpec> commands, const Palette& palette);

// Returns the usage, examples, arguments and options of one command.
std::string CommandHelp(const CommandSpec& command, const Palette& palette);

}  // namespace zhiwen

#endif  // ZHIWEN_APPS_ZHIWEN_COMMAND_LINE_HELP_H_
