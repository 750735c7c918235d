#include "help.h"

#include <algorithm>

#include <fmt/format.h>

#include "figures.h"

namespace zhiwen {
namespace {

// "-o, --output DIR"; long names line up whether there is a short one or not.
std::string OptionLabel(const OptionSpec& option) {
  const size_t comma = option.names.find(',');
  std::string label =
      comma == std::string::npos
          ? "    " + option.names
          : fmt::format("{}, {}", option.names.substr(0, comma), option.names.substr(comma + 1));
  return option.value.empty() ? label : label + " " + option.value;
}

std::string Heading(std::string_view text, const Palette& palette) {
  return fmt::format("\n{}\n", palette.Paint(Ink::kBold, text));
}

std::string FormatExamples(std::span<const Example> examples) {
  std::string out;
  for (const Example& example : examples) {
    out += fmt::format("  {}\n", example.line);
    out += fmt::format("      {}\n", example.meaning);
  }
  return out;
}

}  // namespace

std::string ProgramHelp(std::span<const CommandSpec> commands, const Palette& palette) {
  std::string out =
      "zhiwen 指纹: find exact copies, near-duplicates and reused passages of texts,\n"
      "Chinese first.\n";
  out += Heading("Usage", palette);
  out += "  zhiwen COMMAND [OPTION]...\n";
  out += Heading("Commands", palette);
  std::vector<std::vector<std::string>> rows;
  for (const CommandSpec& command : commands) {
    rows.push_back({"  " + command.name, command.summary});
  }
  rows.push_back({"  help", "Show how to use a command"});
  out += FormatTable(rows);
  out += Heading("Examples", palette);
  out +=
      "  zhiwen dedup news/*.jsonl -o out/\n"
      "  zhiwen compare a.txt b.txt\n"
      "  zhiwen help dedup\n";
  out += Heading("Exit status", palette);
  out +=
      "  0 done  1 compare --exit-code: something matched  2 usage  3 an input cannot be\n"
      "  read  4 not found  5 conflict  6 disk or memory  70 internal  130, 143 interrupted\n";
  return out;
}

std::string CommandHelp(const CommandSpec& command, const Palette& palette) {
  std::string out = fmt::format("{}\n", command.summary);
  out += Heading("Usage", palette);
  out += fmt::format("  zhiwen {} [OPTION]...{}\n", command.name,
                     command.arguments ? " " + command.arguments->name : "");
  if (!command.description.empty()) out += fmt::format("\n{}\n", command.description);
  out += Heading("Examples", palette);
  out += FormatExamples(command.examples);
  if (command.arguments) {
    out += Heading("Arguments", palette);
    out += fmt::format("  {}  {}\n", command.arguments->name, command.arguments->help);
  }
  out += Heading("Options", palette);
  std::vector<std::vector<std::string>> rows;
  rows.reserve(command.options.size());
  for (const OptionSpec& option : command.options) {
    rows.push_back({"  " + OptionLabel(option), option.help});
  }
  return out + FormatTable(rows);
}

}  // namespace zhiwen
