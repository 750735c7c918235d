#ifndef ZHIWEN_APPS_ZHIWEN_HELP_H_
#define ZHIWEN_APPS_ZHIWEN_HELP_H_

// The help texts.

#include <span>
#include <string>

#include "command.h"
#include "terminal.h"

namespace zhiwen {

// What the program is, its commands, where to go on.
std::string ProgramHelp(std::span<const CommandSpec> commands, const Palette& palette);

// Usage, examples, arguments and options of one command.
std::string CommandHelp(const CommandSpec& command, const Palette& palette);

}  // namespace zhiwen

#endif  // ZHIWEN_APPS_ZHIWEN_HELP_H_
