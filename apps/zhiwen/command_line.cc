#include "command_line.h"

#include <algorithm>

#include <fmt/format.h>

#include "help.h"
#include "suggest.h"

namespace zhiwen {
namespace {

constexpr int kDone = 0;

// Options that every command has.
struct CommonOptions {
  bool help = false;
  bool quiet = false;
  ColorChoice color = ColorChoice::kAuto;
};

Result<ColorChoice> ParseColorChoice(std::string_view text) {
  if (text == "auto") return ColorChoice::kAuto;
  if (text == "always") return ColorChoice::kAlways;
  if (text == "never") return ColorChoice::kNever;
  return Fail(ErrorCode::kInvalidArgument,
              fmt::format("\"{}\" is none of auto, always, never", text));
}

CommandSpec DescribeWithCommon(Command& command, CommonOptions& common) {
  CommandSpec spec = command.Describe();
  spec.options.push_back(ParsedOption("--color", "WHEN",
                                      "Use colour: auto (default), always, never", common.color,
                                      ParseColorChoice));
  spec.options.push_back(
      FlagOption("-q,--quiet", common.quiet, "Show errors and what was asked for, nothing else"));
  spec.options.push_back(FlagOption("-h,--help", common.help, "Show this help"));
  return spec;
}

std::vector<CommandSpec> DescribeAll(std::span<const std::unique_ptr<Command>> commands,
                                     CommonOptions& common) {
  std::vector<CommandSpec> specs;
  for (const auto& command : commands) specs.push_back(DescribeWithCommon(*command, common));
  return specs;
}

tl::unexpected<Error> UnknownCommand(const std::string& word, std::span<const CommandSpec> specs) {
  std::vector<std::string> names = {"help"};
  for (const CommandSpec& spec : specs) names.push_back(spec.name);
  const std::optional<std::string> meant = SuggestName(word, names);
  return Fail(ErrorCode::kInvalidArgument,
              fmt::format("there is no command \"{}\"{} (see zhiwen --help)", word,
                          meant ? fmt::format("; did you mean {}?", *meant) : ""));
}

bool IsHelpFlag(const std::string& word) { return word == "--help" || word == "-h"; }

// Whether help is asked for somewhere, even beside words that would be an error.
bool AsksForHelp(std::span<const std::string> words) {
  const auto end = std::find(words.begin(), words.end(), "--");
  return std::any_of(words.begin(), end, IsHelpFlag);
}

class Program {
 public:
  Program(Console& console, const Cancellation& cancellation)
      : console_(console),
        cancellation_(cancellation),
        commands_(MakeCommands()),
        specs_(DescribeAll(commands_, common_)) {}

  Result<int> Run(std::span<const std::string> words) {
    const std::string first = words.empty() ? "" : words[0];
    if (IsHelpFlag(first) || (first == "help" && words.size() == 1)) return ShowProgramHelp();
    if (first == "help") return ShowCommandHelp(words[1]);
    if (first == "--version" || first == "-V") return RunCommand("version", words);
    return RunCommand(first, words);
  }

 private:
  Result<int> ShowProgramHelp() {
    ZHIWEN_RETURN_IF_ERROR(console_.Print(ProgramHelp(specs_, console_.out_palette())));
    return kDone;
  }

  Result<size_t> FindCommand(const std::string& name) const {
    const auto found = std::find_if(specs_.begin(), specs_.end(),
                                    [&](const CommandSpec& spec) { return spec.name == name; });
    if (found == specs_.end()) return UnknownCommand(name, specs_);
    return static_cast<size_t>(found - specs_.begin());
  }

  Result<int> ShowCommandHelp(const std::string& name) {
    ZHIWEN_ASSIGN_OR_RETURN(const size_t at, FindCommand(name));
    ZHIWEN_RETURN_IF_ERROR(console_.Print(CommandHelp(specs_[at], console_.out_palette())));
    return kDone;
  }

  Result<int> RunCommand(const std::string& name, std::span<const std::string> words) {
    ZHIWEN_ASSIGN_OR_RETURN(const size_t at, FindCommand(name));
    if (AsksForHelp(words.subspan(1))) return ShowCommandHelp(name);
    ZHIWEN_RETURN_IF_ERROR(ParseArguments(specs_[at], words.subspan(1)));
    console_.set_color(common_.color);
    if (common_.quiet) console_.set_quiet();
    CommandContext context{console_, cancellation_, {"zhiwen"}};
    context.typed.insert(context.typed.end(), words.begin(), words.end());
    return commands_[at]->Run(context);
  }

  Console& console_;
  const Cancellation& cancellation_;
  CommonOptions common_;
  std::vector<std::unique_ptr<Command>> commands_;
  std::vector<CommandSpec> specs_;
};

}  // namespace

int RunCommandLine(std::span<const std::string> words, Console& console,
                   const Cancellation& cancellation) {
  Program program(console, cancellation);
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
