#ifndef ZHIWEN_APPS_ZHIWEN_COMMAND_LINE_MANUAL_PAGE_H_
#define ZHIWEN_APPS_ZHIWEN_COMMAND_LINE_MANUAL_PAGE_H_

// Generates manual pages of section 1 from the same descriptions as the help.
//
// Out         roff with the man macros, ASCII only, so that no reader has to guess an encoding
// Guarantees  the same bytes for the same version: no date
// Threads     free functions

#include <span>
#include <string>

#include "command_line/command.h"

namespace zhiwen {

// Returns zhiwen(1): the purpose of the program, and its commands.
std::string ProgramManual(std::span<const CommandSpec> commands);

// Returns zhiwen-COMMAND(1).
std::string CommandManual(const CommandSpec& command);

// Returns roff that prints `text` character for character, whatever it begins with.
std::string EscapeRoff(std::string_view text);

}  // namespace zhiwen

#endif  // ZHIWEN_APPS_ZHIWEN_COMMAND_LINE_MANUAL_PAGE_H_
