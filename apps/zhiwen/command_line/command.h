#ifndef ZHIWEN_APPS_ZHIWEN_COMMAND_LINE_COMMAND_H_
#define ZHIWEN_APPS_ZHIWEN_COMMAND_LINE_COMMAND_H_

// Describes a command of the program: its name, the options and arguments it takes, and what it
// does. Help, manual pages and shell completion are generated from this description.

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

#include "command_line/language_file.h"
#include "command_line/option_values.h"
#include "terminal/terminal.h"
#include "zhiwen/channel.h"
#include "zhiwen/documents.h"
#include "zhiwen/environment.h"
#include "zhiwen/extract.h"
#include "zhiwen/result.h"

namespace zhiwen {

// Says which value counts when an option is given twice. A flag may always be repeated.
enum class Repeat : uint8_t {
  kLast,     // the last value counts, so that options can be appended to those of a script
  kEach,     // each value is added
  kRefused,  // an error: the option names a field or a file, and someone who names two means both
};

struct OptionSpec {
  std::string names;  // "-o,--output"
  std::string value;  // "DIR" and "FILE" are paths; empty for a flag
  std::string help;
  // Takes each value as typed ("" for a flag), in order. The error need not name the option.
  std::function<Status(const std::string&)> take;
  std::vector<std::string> choices = {};  // values to offer; `take` may accept more
  Repeat repeat = Repeat::kLast;
  bool takes_empty = false;  // '' is a valid value; for other options it is an error
};

// Returns "--output" for "-o,--output".
std::string LongName(const std::string& names);

// Returns {"-o", "--output"} for "-o,--output".
std::vector<std::string> SplitNames(const OptionSpec& option);

// The words of a command line that are not options.
struct ArgumentSpec {
  std::string name;  // "INPUT..."; "[COMMAND]" is the name of a command
  std::string help;
  size_t at_least = 0;
  size_t at_most = 0;
  std::vector<std::string>* values = nullptr;
  std::vector<std::string> choices = {};  // words to offer; empty: paths, or commands
  std::vector<std::string> first = {};    // words to offer for the first argument; paths follow
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

// The surroundings of a command.
struct CommandContext {
  Console& console;
  const Cancellation& cancellation;
  std::vector<std::string> typed;         // the whole command line
  std::span<const CommandSpec> commands;  // all commands, in the order of the help
  const CommandSpec& command;             // the running command
  LanguageFile& language;
};

class Command {
 public:
  virtual ~Command() = default;
  // Describes the command. Its options write into the object, so a command line is parsed once.
  virtual CommandSpec Describe() = 0;
  // Returns the exit status, or the error that decides it.
  virtual Result<int> Run(CommandContext& context) = 0;
};

// Returns the command called `name`, which lives as long as `commands`. Fails: kInvalidArgument,
// suggesting a similar name.
Result<const CommandSpec*> FindCommand(std::span<const CommandSpec> commands,
                                       const std::string& name);

// Returns the short names of the channels, the default first.
std::vector<std::string> ChannelNames();

// Returns the encodings that are read, for help: "utf-8, gb18030 (also gbk, gb2312), big5, …".
std::string ListEncodings();

// Returns an option whose value `parse` (std::string to Result) turns into `target`.
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

// Returns an option whose value is one of `choices`. Its help ends with their names; the name of
// `target` is marked as the default.
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

// Returns `option`, changed so that it may be given only once.
OptionSpec Once(OptionSpec option);

// Options that several commands have.
OptionSpec FlagOption(std::string names, bool& target, std::string help);
OptionSpec TextOption(std::string names, std::string value, std::string& target, std::string help);
// Returns -o, whose value may not be "-". `value` is "FILE" or "DIR".
OptionSpec OutputOption(std::string value, std::string& target, std::string help);
OptionSpec CountOption(std::string names, CountRange range, uint64_t& target, std::string help);
OptionSpec ChannelOption(std::optional<std::string>& target);   // see LanguageFile::OpenChannel
OptionSpec VariantsOption(std::optional<std::string>& target);  // see LanguageFile::OpenChosen
OptionSpec DictionariesOption(std::vector<std::string>& target, std::string help);  // --dict
OptionSpec TextFieldOption(std::vector<std::string>& target);
OptionSpec IdFieldOption(std::optional<std::string>& target);
// Returns --text-format, which says what text fields hold: "text" or "html".
OptionSpec TextTypeOption(std::optional<DocumentType>& target);
OptionSpec FormatOption(std::optional<DocumentFormat>& target);
OptionSpec SeparatorOption(std::string name, FileSyntax& target);
OptionSpec EncodingOption(FileSyntax& target);
OptionSpec ThreadsOption(uint64_t& target);  // 0: one for each core
OptionSpec JsonOption(bool& target, std::string help);

// Returns the number of threads to start for the value of ThreadsOption.
size_t ThreadsToUse(uint64_t option);

}  // namespace zhiwen

#endif  // ZHIWEN_APPS_ZHIWEN_COMMAND_LINE_COMMAND_H_
