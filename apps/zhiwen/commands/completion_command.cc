#include "command_line/completion.h"
#include "command_line/option_values.h"
#include "commands/commands.h"

namespace zhiwen {
namespace {

using WriteScript = std::string (*)(std::span<const CommandSpec>);

const std::vector<Choice<WriteScript>>& Shells() {
  static const std::vector<Choice<WriteScript>> shells = {
      {"bash", BashCompletion}, {"zsh", ZshCompletion}, {"fish", FishCompletion}};
  return shells;
}

class CompletionCommand : public Command {
 public:
  CommandSpec Describe() override {
    CommandSpec spec;
    spec.name = "completion";
    spec.summary = "Print a script that completes command lines in a shell";
    spec.description =
        "An installed zhiwen completes command lines in bash, zsh and fish already. To set it\n"
        "up by hand: in bash, source the output in ~/.bashrc; for zsh, save it as _zhiwen in\n"
        "a folder of $fpath; for fish, save it as ~/.config/fish/completions/zhiwen.fish.";
    spec.arguments =
        ArgumentSpec{"SHELL", ListChoices(NamesOf(Shells()), ""), 1, 1, &names_, NamesOf(Shells())};
    spec.examples = {
        {"source <(zhiwen completion bash)", "in this shell only"},
        {"zhiwen completion fish > ~/.config/fish/completions/zhiwen.fish", "permanently"},
    };
    return spec;
  }

  Result<int> Run(CommandContext& context) override {
    ZHIWEN_ASSIGN_OR_RETURN(const WriteScript write, ParseChoice(names_[0], Shells()));
    ZHIWEN_RETURN_IF_ERROR(context.console.Print(write(context.commands)));
    return 0;
  }

 private:
  std::vector<std::string> names_;
};

}  // namespace

std::unique_ptr<Command> MakeCompletionCommand() { return std::make_unique<CompletionCommand>(); }

}  // namespace zhiwen
