#ifndef ZHIWEN_APPS_ZHIWEN_COMMAND_LINE_HELP_H_
#define ZHIWEN_APPS_ZHIWEN_COMMAND_LINE_HELP_H_

// Formats the help of the program and of its commands.

#include <span>
#include <string>
#include <string_view>

#include "command_line/command.h"
#include "terminal/terminal.h"

namespace zhiwen {

// An exit status or an environment variable, and its meaning.
struct Meaning {
  std::string_view name;
  std::string_view brief;  // in the help
  std::string_view full;   // in the manual page
};

std::span<const Meaning> ExitStatuses();
std::span<const Meaning> EnvironmentVariables();

// Returns one sentence on the purpose of the program.
std::string_view ProgramPurpose();
std::span<const Example> ProgramExamples();

// Returns "-o, --output", or only the long name when there is no short one.
std::string OptionNames(const OptionSpec& option);

// Returns the help of the program: its purpose, its commands, and where to read on.
std::string ProgramHelp(std::span<const CommandSpec> commands, const Palette& palette);

// Returns the usage, examples, arguments and options of one command.
std::string CommandHelp(const CommandSpec& command, const Palette& palette);

}  // namespace zhiwen

#endif  // ZHIWEN_APPS_ZHIWEN_COMMAND_LINE_HELP_H_
