#ifndef ZHIWEN_APPS_ZHIWEN_COMMAND_H_
#define ZHIWEN_APPS_ZHIWEN_COMMAND_H_

// A command of the program: what it is called, what it takes, what it does. Each is one file,
// NAME_command.cc; adding one is that file and a line in commands.cc.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "option_values.h"
#include "terminal.h"
#include "zhiwen/channel.h"
#include "zhiwen/environment.h"
#include "zhiwen/result.h"

namespace zhiwen {

struct OptionSpec {
  std::string names;  // "-o,--output"
  std::string value;  // "DIR"; empty: a flag
  std::string help;
  // Takes each value as typed ("" for a flag), in order. Its error needs no name of the option.
  std::function<Status(const std::string&)> take;
};

// What stands without a dash.
struct ArgumentSpec {
  std::string name;  // "INPUT..."
  std::string help;
  size_t at_least = 0;
  size_t at_most = 0;
  std::vector<std::string>* values = nullptr;
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
  std::vector<std::string> typed;  // the whole command line
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
std::unique_ptr<Command> MakeFingerprintCommand();
std::unique_ptr<Command> MakeSchemesCommand();
std::unique_ptr<Command> MakeFormatsCommand();
std::unique_ptr<Command> MakeVersionCommand();

// All of them, in the order of the help.
std::vector<std::unique_ptr<Command>> MakeCommands();

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

// Options as several commands have them.
OptionSpec FlagOption(std::string names, bool& target, std::string help);
OptionSpec TextOption(std::string names, std::string value, std::string& target, std::string help);
OptionSpec CountOption(std::string names, CountRange range, uint64_t& target, std::string help);
OptionSpec ChannelOption(Channel& target);
OptionSpec TextFieldOption(std::vector<std::string>& target);
OptionSpec IdFieldOption(std::optional<std::string>& target);
OptionSpec ThreadsOption(uint64_t& target);  // 0: one for each core
OptionSpec JsonOption(bool& target, std::string help);

// The threads to start for what ThreadsOption holds.
size_t ThreadsToUse(uint64_t option);

}  // namespace zhiwen

#endif  // ZHIWEN_APPS_ZHIWEN_COMMAND_H_
