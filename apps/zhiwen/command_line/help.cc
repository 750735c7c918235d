#include "command_line/help.h"

#include <fmt/format.h>

#include "terminal/table.h"

namespace zhiwen {
namespace {

constexpr size_t kColumns = 88;

constexpr Meaning kExitStatuses[] = {
    {"0", "done", "Done; failed records within the limit are a warning."},
    {"1", "with --exit-code: something matched",
     "compare, check and query with --exit-code: something matched."},
    {"2", "usage", "Usage: an unknown option, a value out of range."},
    {"3", "an input cannot be read",
     "An input exists and cannot be read or decoded, it changed during the run, or too many of its "
     "records failed."},
    {"4", "not found", "A named file or field does not exist."},
    {"5", "conflict", "Conflict: the output is not empty, is locked or cannot be written to."},
    {"6", "disk or memory", "Out of a limit: disk, memory."},
    {"7", "unavailable", "A dependency is unavailable."},
    {"70", "internal", "Internal error: please report it."},
    {"129, 130, 143", "interrupted", "Hung up, interrupted, terminated."},
};

constexpr Meaning kEnvironmentVariables[] = {
    {"ZHIWEN_SIMD", "", "Forces an instruction set: scalar, avx2 or avx512."},
    {"NO_COLOR", "", "No colour, when it is set and not empty."},
    {"COLUMNS", "", "The width to lay out for, where there is no terminal to ask."},
};

// Returns "-o, --output DIR". Long names are aligned, with or without a short name.
std::string OptionLabel(const OptionSpec& option) {
  const std::string_view indent = option.names.find(',') == std::string::npos ? "    " : "";
  return fmt::format("{}{}{}{}", indent, OptionNames(option), option.value.empty() ? "" : " ",
                     option.value);
}

// Returns "0 done  2 usage", in lines of the width of the help.
std::string FormatExitStatuses() {
  std::string out;
  std::string line;
  for (const Meaning& status : ExitStatuses()) {
    const std::string item = fmt::format("  {} {}", status.name, status.brief);
    if (line.size() + item.size() > kColumns) {
      out += line + "\n";
      line.clear();
    }
    line += item;
  }
  return out + line + "\n";
}

std::string FormatOptions(std::span<const OptionSpec> options) {
  std::vector<std::vector<std::string>> rows;
  for (const OptionSpec& option : options)
    rows.push_back({"  " + OptionLabel(option), option.help});
  return FormatTable(rows, kColumns);
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

std::span<const Meaning> ExitStatuses() { return kExitStatuses; }
std::span<const Meaning> EnvironmentVariables() { return kEnvironmentVariables; }

std::string_view ProgramPurpose() {
  return "find exact copies, near-duplicates and reused passages of texts,\nChinese first";
}

std::span<const Example> ProgramExamples() {
  static const Example examples[] = {
      {"zhiwen dedup news/*.jsonl -o out/", "remove near-duplicates, each with its reason"},
      {"zhiwen compare a.txt b.txt", "what two texts share"},
      {"zhiwen help dedup", "every option of a command"},
  };
  return examples;
}

std::string OptionNames(const OptionSpec& option) {
  std::string names = option.names;
  if (const size_t comma = names.find(','); comma != std::string::npos)
    names.insert(comma + 1, " ");
  return names;
}

std::string ProgramHelp(std::span<const CommandSpec> commands, const Palette& palette) {
  std::string out = fmt::format("zhiwen 指纹: {}.\n", ProgramPurpose());
  out += Heading("Usage", palette);
  out += "  zhiwen COMMAND [OPTION]...\n";
  out += Heading("Commands", palette);
  std::vector<std::vector<std::string>> rows;
  for (const CommandSpec& command : commands) {
    rows.push_back({"  " + command.name, command.summary});
  }
  out += FormatTable(rows);
  out += Heading("Examples", palette);
  for (const Example& example : ProgramExamples()) out += fmt::format("  {}\n", example.line);
  out += Heading("Exit status", palette);
  return out + FormatExitStatuses();
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
    out += FormatTable({{{"  " + command.arguments->name, command.arguments->help}}}, kColumns);
  }
  out += Heading("Options", palette);
  return out + FormatOptions(command.options);
}

}  // namespace zhiwen
