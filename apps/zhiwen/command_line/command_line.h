#ifndef ZHIWEN_APPS_ZHIWEN_COMMAND_LINE_COMMAND_LINE_H_
#define ZHIWEN_APPS_ZHIWEN_COMMAND_LINE_COMMAND_LINE_H_

// Parses the words after the name of a command, and runs the program on a whole command line.

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "command_line/command.h"
#include "terminal/terminal.h"
#include "zhiwen/environment.h"
#include "zhiwen/result.h"

namespace zhiwen {

// Passes the typed values to every option and argument of `spec`; "--" ends the options. Fails:
// kInvalidArgument, naming the wrong word and the valid options.
Status ParseArguments(const CommandSpec& spec, std::span<const std::string> words);

// Runs `zhiwen WORDS` with the given commands, in the order of the help, and returns its exit
// status. The language data is at `language_path`.
int RunCommandLine(std::vector<std::unique_ptr<Command>> commands,
                   std::span<const std::string> words, Console& console,
                   const Cancellation& cancellation, const std::string& language_path);

}  // namespace zhiwen

#endif  // ZHIWEN_APPS_ZHIWEN_COMMAND_LINE_COMMAND_LINE_H_
