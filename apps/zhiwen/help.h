#ifndef ZHIWEN_APPS_ZHIWEN_HELP_H_
#define ZHIWEN_APPS_ZHIWEN_HELP_H_

// The help texts.

#include <span>
#include <string>
#include <string_view>

#include "command.h"
#include "terminal.h"

namespace zhiwen {

// What is said of the whole program: an exit status or a variable of the environment.
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

// What the program is, its commands, where to go on.
std::string ProgramHelp(std::span<const CommandSpec> commands, const Palette& palette);

// Usage, examples, arguments and options of one command.
std::string CommandHelp(const CommandSpec& command, const Palette& palette);

}  // namespace zhiwen

#endif  // ZHIWEN_APPS_ZHIWEN_HELP_H_
