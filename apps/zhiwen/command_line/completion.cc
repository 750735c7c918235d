#include "command_line/completion.h"

namespace zhiwen {

Completion CompletionOfValue(const OptionSpec& option) {
  if (!option.choices.empty()) return {Offer::kWords, option.choices};
  if (option.value == "FILE") return {Offer::kFiles, {}};
  if (option.value == "DIR") return {Offer::kFolders, {}};
  return {};
}

Completion CompletionOfArguments(const CommandSpec& command, std::span<const CommandSpec> all) {
  if (!command.arguments) return {};
  if (!command.arguments->choices.empty()) return {Offer::kWords, command.arguments->choices};
  if (command.arguments->name != "[COMMAND]") return {Offer::kFiles, {}};
  Completion names{Offer::kWords, {}};
  for (const CommandSpec& other : all) names.words.push_back(other.name);
  return names;
}

Completion CompletionOfFirst(const CommandSpec& command) {
  if (!command.arguments || command.arguments->first.empty()) return {};
  return {Offer::kWords, command.arguments->first};
}

std::string QuoteForShell(std::string_view text) {
  std::string out = "'";
  for (const char letter : text) {
    if (letter == '\'') {
      out += "'\\''";
    } else {
      out += letter;
    }
  }
  return out + "'";
}

}  // namespace zhiwen
