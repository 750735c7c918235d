#include "command_line/command_line.h"

#include <algorithm>

#include "command_line/advice_words.h"
#include "command_line/help.h"

namespace zhiwen {
namespace {

constexpr int kDone = 0;

// Options that every command has.
struct CommonOptions {
  bool help = false;
  bool quiet = false;
  ColorChoice color = ColorChoice::kAuto;
};

CommandSpec DescribeWithCommon(Command& command, CommonOptions& common) {
  CommandSpec spec = command.Describe();
  spec.options.push_back(ChoiceOption<ColorChoice>("--color", "WHEN", "Use colour: ", common.color,
                                                   {{"auto", ColorChoice::kAuto},
                                                    {"always", ColorChoice::kAlways},
                                                    {"never", ColorChoice::kNever}}));
  spec.options.push_back(
      FlagOption("-q,--quiet", common.quiet, "Print only errors and the requested output"));
  spec.options.push_back(FlagOption("-h,--help", common.help, "Show this help"));
  return spec;
}

std::vector<CommandSpec> DescribeAll(std::span<const std::unique_ptr<Command>> commands,
                                     CommonOptions& common) {
  std::vector<CommandSpec> specs;
  for (const auto& command : commands) specs.push_back(DescribeWithCommon(*command, common));
  return specs;
}

bool IsHelpFlag(const std::string& word) { return word == "--help" || word == "-h"; }

// Returns whether help is asked for anywhere, even beside words that would be an error.
bool AsksForHelp(std::span<const std::string> words) {
  const auto end = std::find(words.begin(), words.end(), "--");
  return std::any_of(words.begin(), end, IsHelpFlag);
}

class Program {
 public:
  Program(std::vector<std::unique_ptr<Command>> commands, Console& console,
          const Cancellation& cancellation, std::string language_path)
      : console_(console),
        cancellation_(cancellation),
        language_(std::move(language_path)),
        commands_(std::move(commands)),
        specs_(DescribeAll(commands_, common_)) {}

  Result<int> Run(std::span<const std::string> words) {
    const std::string first = words.empty() ? "" : words[0];
    if (IsHelpFlag(first)) return RunCommand("help", {});
    if (first == "--version" || first == "-V") return RunCommand("version", words);
    return RunCommand(first, words);
  }

 private:
  // `words` begin with the words that name the command.
  Result<int> RunCommand(const std::string& name, std::span<const std::string> words) {
    ZHIWEN_ASSIGN_OR_RETURN(const CommandSpec* const spec, FindCommand(specs_, name));
    const std::span<const std::string> given = words.empty() ? words : words.subspan(1);
    if (AsksForHelp(given)) {
      ZHIWEN_RETURN_IF_ERROR(console_.Print(CommandHelp(*spec, console_.out_palette())));
      return kDone;
    }
    ZHIWEN_RETURN_IF_ERROR(ParseArguments(*spec, given));
    console_.set_color(common_.color);
    if (common_.quiet) console_.set_quiet();
    CommandContext context{console_, cancellation_, {"zhiwen"}, specs_, *spec, language_};
    context.typed.insert(context.typed.end(), words.begin(), words.end());
    Result<int> status = commands_[static_cast<size_t>(spec - specs_.data())]->Run(context);
    if (status) return status;
    Error& error = status.error();
    error.message = WithOptions(error.message, error.advice, *spec);
    return status;
  }

  Console& console_;
  const Cancellation& cancellation_;
  LanguageFile language_;
  CommonOptions common_;
  std::vector<std::unique_ptr<Command>> commands_;
  std::vector<CommandSpec> specs_;
};

}  // namespace

int RunCommandLine(std::vector<std::unique_ptr<Command>> commands,
                   std::span<const std::string> words, Console& console,
                   const Cancellation& cancellation, const std::string& language_path) {
  Program program(std::move(commands), console, cancellation, language_path);
  if (words.empty()) {
    (void)program.Run(std::vector<std::string>{"help"});
    console.PrintError("which command? (see zhiwen --help)");
    return TraitsOf(ErrorCode::kInvalidArgument).exit_status;
  }
  Result<int> status = program.Run(words);
  if (const Status flushed = console.Flush(); !flushed && status) status = Fail(Status(flushed));
  if (status) return *status;
  console.PrintError(status.error().message);
  return TraitsOf(status.error().code).exit_status;
}

}  // namespace zhiwen
