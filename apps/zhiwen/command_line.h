#ifndef ZHIWEN_APPS_ZHIWEN_COMMAND_LINE_H_
#define ZHIWEN_APPS_ZHIWEN_COMMAND_LINE_H_

// Parsing the words behind a command's name, and running the program on a whole command line.

#include <span>
#include <string>

#include "command.h"
#include "terminal.h"
#include "zhiwen/environment.h"
#include "zhiwen/result.h"

namespace zhiwen {

// Gives every option and argument of `spec` what was typed; "--" ends the options. Of a single
// value given twice the last counts. Fails: kInvalidArgument, naming the word and what exists.
Status ParseArguments(const CommandSpec& spec, std::span<const std::string> words);

// Runs `zhiwen WORDS` and returns its exit status. The language data is at `language_path`.
int RunCommandLine(std::span<const std::string> words, Console& console,
                   const Cancellation& cancellation, const std::string& language_path);

}  // namespace zhiwen

#endif  // ZHIWEN_APPS_ZHIWEN_COMMAND_LINE_H_
