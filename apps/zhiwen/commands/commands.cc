#include "commands/commands.h"

namespace zhiwen {

std::vector<std::unique_ptr<Command>> MakeCommands() {
  std::vector<std::unique_ptr<Command>> commands;
  commands.push_back(MakeDedupCommand());
  commands.push_back(MakeLibraryCommand());
  commands.push_back(MakeCheckCommand());
  commands.push_back(MakeEvidenceCommand());
  commands.push_back(MakeQueryCommand());
  commands.push_back(MakeClusterCommand());
  commands.push_back(MakeCalibrateCommand());
  commands.push_back(MakeCompareCommand());
  commands.push_back(MakeInspectCommand());
  commands.push_back(MakeFingerprintCommand());
  commands.push_back(MakeTermsCommand());
  commands.push_back(MakePhonemesCommand());
  commands.push_back(MakeFilterCommand());
  commands.push_back(MakeIndexCommand());
  commands.push_back(MakeSegmentCommand());
  commands.push_back(MakeExtractCommand());
  commands.push_back(MakeLanguageCommand());
  commands.push_back(MakeSchemesCommand());
  commands.push_back(MakeEvalCommand());
  commands.push_back(MakeFormatsCommand());
  commands.push_back(MakeVersionCommand());
  commands.push_back(MakeCompletionCommand());
  commands.push_back(MakeManCommand());
  commands.push_back(MakeHelpCommand());
  return commands;
}

}  // namespace zhiwen
