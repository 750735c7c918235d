#include "command_line/help.h"
#include "commands/commands.h"

namespace zhiwen {
namespace {

class HelpCommand : public Command {
 public:
  CommandSpec Describe() override {
    CommandSpec spec;
    spec.name = "help";
    spec.summary = "Show how to use a command";
    spec.arguments = ArgumentSpec{
        "[COMMAND]", "Name of a command; without it, all commands are listed", 0, 1, &names_};
    spec.examples = {
        {"zhiwen help", "list all commands"},
        {"zhiwen help dedup", "same as zhiwen dedup --help"},
    };
    return spec;
  }

  Result<int> Run(CommandContext& context) override {
    const Palette palette = context.console.out_palette();
    std::string text = ProgramHelp(context.commands, palette);
    if (!names_.empty()) {
      ZHIWEN_ASSIGN_OR_RETURN(const CommandSpec* const command,
                              FindCommand(context.commands, names_[0]));
      text = CommandHelp(*command, palette);
    }
    ZHIWEN_RETURN_IF_ERROR(context.console.Print(text));
    return 0;
  }

 private:
  std::vector<std::string> names_;
};

}  // namespace

std::unique_ptr<Command> MakeHelpCommand() { return std::make_unique<HelpCommand>(); }

}  // namespace zhiwen
