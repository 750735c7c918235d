#include "command_line/manual_page.h"
#include "commands/commands.h"

namespace zhiwen {
namespace {

class ManCommand : public Command {
 public:
  CommandSpec Describe() override {
    CommandSpec spec;
    spec.name = "man";
    spec.summary = "Print a manual page";
    spec.description =
        "Prints roff. The page of a command is called zhiwen-COMMAND(1), and the page of the\n"
        "program zhiwen(1). An installed zhiwen has all pages.";
    spec.arguments = ArgumentSpec{
        "[COMMAND]", "Name of a command; without it, the page of the program", 0, 1, &names_};
    spec.examples = {
        {"zhiwen man dedup | man -l -", "read the page of dedup"},
        {"zhiwen man > zhiwen.1", "save the page of the program"},
    };
    return spec;
  }

  Result<int> Run(CommandContext& context) override {
    std::string page;
    if (names_.empty()) {
      page = ProgramManual(context.commands);
    } else {
      ZHIWEN_ASSIGN_OR_RETURN(const CommandSpec* const command,
                              FindCommand(context.commands, names_[0]));
      page = CommandManual(*command);
    }
    ZHIWEN_RETURN_IF_ERROR(context.console.Print(page));
    return 0;
  }

 private:
  std::vector<std::string> names_;
};

}  // namespace

std::unique_ptr<Command> MakeManCommand() { return std::make_unique<ManCommand>(); }

}  // namespace zhiwen
