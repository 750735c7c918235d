#ifndef ZHIWEN_APPS_ZHIWEN_COMMANDS_COMMANDS_H_
#define ZHIWEN_APPS_ZHIWEN_COMMANDS_COMMANDS_H_

// Lists the commands of the program. Each command is one file, NAME_command.cc. A new command needs
// that file, a line here and a line in commands.cc.

#include <memory>
#include <vector>

#include "command_line/command.h"

namespace zhiwen {

std::unique_ptr<Command> MakeDedupCommand();
std::unique_ptr<Command> MakeCompareCommand();
std::unique_ptr<Command> MakeInspectCommand();
std::unique_ptr<Command> MakeFingerprintCommand();
std::unique_ptr<Command> MakeTermsCommand();
std::unique_ptr<Command> MakePhonemesCommand();
std::unique_ptr<Command> MakeFilterCommand();
std::unique_ptr<Command> MakeIndexCommand();
std::unique_ptr<Command> MakeLibraryCommand();
std::unique_ptr<Command> MakeCalibrateCommand();
std::unique_ptr<Command> MakeCheckCommand();
std::unique_ptr<Command> MakeQueryCommand();
std::unique_ptr<Command> MakeClusterCommand();
std::unique_ptr<Command> MakeSegmentCommand();
std::unique_ptr<Command> MakeEvidenceCommand();
std::unique_ptr<Command> MakeExtractCommand();
std::unique_ptr<Command> MakeLanguageCommand();
std::unique_ptr<Command> MakeSchemesCommand();
std::unique_ptr<Command> MakeEvalCommand();
std::unique_ptr<Command> MakeFormatsCommand();
std::unique_ptr<Command> MakeVersionCommand();
std::unique_ptr<Command> MakeCompletionCommand();
std::unique_ptr<Command> MakeManCommand();
std::unique_ptr<Command> MakeHelpCommand();

// Returns all commands, in the order of the help.
std::vector<std::unique_ptr<Command>> MakeCommands();

}  // namespace zhiwen

#endif  // ZHIWEN_APPS_ZHIWEN_COMMANDS_COMMANDS_H_
