#ifndef ZHIWEN_APPS_ZHIWEN_MANUAL_PAGE_H_
#define ZHIWEN_APPS_ZHIWEN_MANUAL_PAGE_H_

// Manual pages of section 1, from the same descriptions as the help.
//
// Out         roff with the man macros, ASCII only, so that no reader has to guess an encoding
// Guarantees  the same bytes for the same version: no date
// Threads     free functions

#include <span>
#include <string>

#include "command.h"

namespace zhiwen {

// zhiwen(1): what the program is for, and its commands.
std::string ProgramManual(std::span<const CommandSpec> commands);

// zhiwen-COMMAND(1).
std::string CommandManual(const CommandSpec& command);

// `text` as roff that prints it character for character, whatever it begins with.
std::string EscapeRoff(std::string_view text);

}  // namespace zhiwen

#endif  // ZHIWEN_APPS_ZHIWEN_MANUAL_PAGE_H_
