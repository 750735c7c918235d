#ifndef ZHIWEN_APPS_ZHIWEN_COMMAND_LINE_ADVICE_WORDS_H_
#define ZHIWEN_APPS_ZHIWEN_COMMAND_LINE_ADVICE_WORDS_H_

// What errors advise, in the options of a command. Messages of the library name no option.

#include <span>
#include <string>
#include <string_view>

#include "command_line/command.h"
#include "zhiwen/result.h"

namespace zhiwen {

// Returns `message` and, in brackets behind it, which options of `command` do what `advice` says:
// "interrupted; continue the run (--resume continues it)". Without such options, the message alone.
std::string WithOptions(std::string_view message, std::span<const Advice> advice,
                        const CommandSpec& command);

}  // namespace zhiwen

#endif  // ZHIWEN_APPS_ZHIWEN_COMMAND_LINE_ADVICE_WORDS_H_
