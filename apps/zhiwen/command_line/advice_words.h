#ifndef ZHIWEN_APPS_ZHIWEN_COMMAND_LINE_ADVICE_WORDS_H_
#define ZHIWEN_APPS_ZHIWEN_COMMAND_LINE_ADVICE_WORDS_H_

// Words the advice of an error as options of a command, because messages of the library name no
// option.

#include <span>
#include <string>
#include <string_view>

#include "command_line/command.h"
#include "zhiwen/result.h"

namespace zhiwen {

// Returns `message`, followed in brackets by the options of `command` that do what `advice` says:
// "interrupted; continue the run (--resume continues it)". Returns the message alone when the
// command has no such option.
std::string WithOptions(std::string_view message, std::span<const Advice> advice,
                        const CommandSpec& command);

}  // namespace zhiwen

#endif  // ZHIWEN_APPS_ZHIWEN_COMMAND_LINE_ADVICE_WORDS_H_
