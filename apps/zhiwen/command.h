#ifndef ZHIWEN_APPS_ZHIWEN_COMMAND_H_
#define ZHIWEN_APPS_ZHIWEN_COMMAND_H_

// A command of the program: what it is called, what it takes, what it does. Each is one file,
// NAME_command.cc; adding one is that file and a line in commands.cc.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "language_file.h"
#include "option_values.h"
#include "terminal.h"
#include "zhiwen/channel.h"
#include "zhiwen/documents.h"
#include "zhiwen/environment.h"
#include "zhiwen/result.h"

namespace zhiwen {

// What an option with a value means that is given again. A flag always may be.
enum class Repeat : uint8_t {
  kLast,     // the last one counts, so that a script's own options can be followed by others
  kEach,     // each one adds something
  kRefused,  // it names a field, a file or a place, and who names two means both
};

// The help, the manual pages and the completion of shells are all made of these.
struct OptionSpec {
  std::string names;  // "-o,--output"
  std::string value;  // "DIR" and "FILE" are paths; empty: a flag
  std::string help;
  // Takes each value as typed ("" for a flag), in order. Its error needs no name of the option.
  std::function<Status(const std::string&)> take;
  std::vector<std::string> choices = {};  // values to offer; `take` may accept more
  Repeat repeat = Repeat::kLast;
  bool takes_empty = false;  // '' is a value like others; elsewhere it names nothing
};

// "--output" of "-o,--output".
std::string LongName(const std::string& names);

// {"-o", "--output"}
std::vector<std::string> SplitNames(const OptionSpec& option);

// What stands without a dash.
struct ArgumentSpec {
  std::string name;  // "INPUT..."; "[COMMAND]" is the name of a command
  std::string help;
  size_t at_least = 0;
  size_t at_most = 0;
  std::vector<std::string>* values = nullptr;
  std::vector<std::string> choices = {};  // words to offer; empty: paths, or commands
  std::vector<std::string> first = {};    // words to offer for the first, and paths behind it
};

struct Example {
  std::string line, meaning;
};

struct CommandSpec {
  std::string name;
  std::string summary;      // one line, imperative
  std::string description;  // paragraphs, lines of at most 78 columns
  std::optional<ArgumentSpec> arguments;
  std::vector<OptionSpec> options;
  std::vector<Example> examples;
};

// What a command runs in.
struct CommandContext {
  Console& console;
  const Cancellation& cancellation;
  std::vector<std::string> typed;         // the whole command line
  std::span<const CommandSpec> commands;  // all there are, in the order of the help
  LanguageFile& language;
};

class Command {
 public:
  virtual ~Command() = default;
  // What the command takes; its options write into the command, so it is parsed once.
  virtual CommandSpec Describe() = 0;
  // Returns the exit status, or the error that decides it.
  virtual Result<int> Run(CommandContext& context) = 0;
};

std::unique_ptr<Command> MakeDedupCommand();
std::unique_ptr<Command> MakeCompareCommand();
std::unique_ptr<Command> MakeInspectCommand();
std::unique_ptr<Command> MakeFingerprintCommand();
std::unique_ptr<Command> MakeTermsCommand();
std::unique_ptr<Command> MakePhonemesCommand();
std::unique_ptr<Command> MakeFilterCommand();
std::unique_ptr<Command> MakeIndexCommand();
std::unique_ptr<Command> MakeSegmentCommand();
std::unique_ptr<Command> MakeLanguageCommand();
std::unique_ptr<Command> MakeSchemesCommand();
std::unique_ptr<Command> MakeEvalCommand();
std::unique_ptr<Command> MakeFormatsCommand();
std::unique_ptr<Command> MakeVersionCommand();
std::unique_ptr<Command> MakeCompletionCommand();
std::unique_ptr<Command> MakeManCommand();
std::unique_ptr<Command> MakeHelpCommand();

// All of them, in the order of the help.
std::vector<std::unique_ptr<Command>> MakeCommands();

// The command called `name`; it lives as long as `commands`. Fails: kInvalidArgument, with the name
// that was perhaps meant.
Result<const CommandSpec*> FindCommand(std::span<const CommandSpec> commands,
                                       const std::string& name);

// The short names of the channels, the default first.
std::vector<std::string> ChannelNames();

// An option whose value `parse` (std::string to Result) turns into `target`.
template <typename Target, typename Parse>
OptionSpec ParsedOption(std::string names, std::string value, std::string help, Target& target,
                        Parse parse) {
  return {std::move(names), std::move(value), std::move(help),
          [&target, parse](const std::string& text) -> Status {
            auto parsed = parse(text);
            if (!parsed) return Fail(std::move(parsed));
            target = *std::move(parsed);
            return {};
          }};
}

// An option whose value is one of `choices`; its help ends with their names, that of `target`
// marked as the default.
template <typename Value>
OptionSpec ChoiceOption(std::string names, std::string value, const std::string& help,
                        Value& target, std::vector<Choice<Value>> choices) {
  const std::vector<std::string> known = NamesOf(choices);
  std::string listed = help + ListChoices(known, NameOfChoice(choices, target));
  OptionSpec option =
      ParsedOption(std::move(names), std::move(value), std::move(listed), target,
                   [choices](const std::string& text) { return ParseChoice(text, choices); });
  option.choices = known;
  return option;
}

// `option`, which may be given once only.
OptionSpec Once(OptionSpec option);

// Options as several commands have them.
OptionSpec FlagOption(std::string names, bool& target, std::string help);
OptionSpec TextOption(std::string names, std::string value, std::string& target, std::string help);
// -o, which may not be "-". `value`: "FILE" or "DIR".
OptionSpec OutputOption(std::string value, std::string& target, std::string help);
OptionSpec CountOption(std::string names, CountRange range, uint64_t& target, std::string help);
OptionSpec ChannelOption(std::optional<std::string>& target);   // see LanguageFile::OpenChannel
OptionSpec VariantsOption(std::optional<std::string>& target);  // see LanguageFile::OpenChosen
OptionSpec DictionariesOption(std::vector<std::string>& target, std::string help);  // --dict
OptionSpec TextFieldOption(std::vector<std::string>& target);
OptionSpec IdFieldOption(std::optional<std::string>& target);
OptionSpec FormatOption(std::optional<DocumentFormat>& target);
OptionSpec ThreadsOption(uint64_t& target);  // 0: one for each core
OptionSpec JsonOption(bool& target, std::string help);

// The threads to start for what ThreadsOption holds.
size_t ThreadsToUse(uint64_t option);

}  // namespace zhiwen

#endif  // ZHIWEN_APPS_ZHIWEN_COMMAND_H_
