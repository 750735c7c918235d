#include "command_line/manual_page.h"

#include <fmt/format.h>

#include "command_line/help.h"
#include "zhiwen/display.h"
#include "zhiwen/version.h"

namespace zhiwen {
namespace {

// Returns the roff name of a character that roff would otherwise read or print differently: it
// prints a plain "-" as a hyphen, for example.
std::string_view RoffName(uint32_t code_point) {
  switch (code_point) {
    case '\\':
      return "\\e";
    case '-':
      return "\\-";
    case '\'':
      return "\\(aq";
    case '"':
      return "\\(dq";
    case '`':
      return "\\(ga";
    case '^':
      return "\\(ha";
    case '~':
      return "\\(ti";
    default:
      return "";
  }
}

std::string Title(std::string_view name) {
  std::string upper(name);
  for (char& letter : upper) letter = letter >= 'a' && letter <= 'z' ? letter - 'a' + 'A' : letter;
  // Turns off hyphenation and adjustment, so that file and option names can be copied.
  return fmt::format(".TH {} 1 \"\" \"zhiwen {}\" \"zhiwen\"\n.ad l\n.nh\n", EscapeRoff(upper),
                     EscapeRoff(Version()));
}

std::string Section(std::string_view name) { return fmt::format(".SH {}\n", name); }

// Returns one input line, which roff fills together with its neighbours.
std::string Line(std::string_view text) { return EscapeRoff(text) + "\n"; }

std::string Bold(std::string_view text) { return "\\fB" + EscapeRoff(text) + "\\fR"; }
std::string Italic(std::string_view text) { return "\\fI" + EscapeRoff(text) + "\\fR"; }

// Returns a tag in bold and the paragraph that explains it.
std::string Item(std::string_view tag, std::string_view text) {
  return fmt::format(".TP\n{}\n{}", tag, Line(text));
}

// Formats lines as paragraphs, with an empty line between them. A word followed by two spaces is a
// tag; the rest of its line, and the following lines that begin with a space, explain it.
std::string Paragraphs(std::string_view text) {
  std::string out;
  bool begins_paragraph = false;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    const size_t gap = line.find("  "), first = line.find_first_not_of(' ');
    if (gap != std::string_view::npos && gap != 0) {  // such a tag begins its own paragraph
      out += Item(Bold(line.substr(0, gap)), line.substr(line.find_first_not_of(' ', gap)));
    } else if (!line.empty()) {
      if (begins_paragraph) out += ".PP\n";
      out += Line(line.substr(first));
    }
    begins_paragraph = line.empty();
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

std::string Options(std::span<const OptionSpec> options) {
  std::string out = Section("OPTIONS");
  for (const OptionSpec& option : options) {
    const size_t comma = option.names.find(',');
    std::string tag = Bold(option.names.substr(0, comma));
    if (comma != std::string::npos) tag += ", " + Bold(option.names.substr(comma + 1));
    if (!option.value.empty()) tag += " " + Italic(option.value);
    out += Item(tag, option.help + ".");
  }
  return out;
}

std::string Examples(std::span<const Example> examples) {
  std::string out = Section("EXAMPLES");
  for (const Example& example : examples) out += Item(Bold(example.line), example.meaning + ".");
  return out;
}

std::string Meanings(std::string_view section, std::span<const Meaning> meanings) {
  std::string out = Section(section);
  for (const Meaning& meaning : meanings) out += Item(Bold(meaning.name), meaning.full);
  return out;
}

std::string Reference(std::string_view page) { return fmt::format(".BR {} (1)", EscapeRoff(page)); }

}  // namespace

std::string EscapeRoff(std::string_view text) {
  std::string out;
  if (text.starts_with('.')) out = "\\&";  // "'" is escaped below in all positions
  for (size_t at = 0; at < text.size();) {
    const uint32_t code_point = NextCodePoint(text, at);
    const std::string_view name = RoffName(code_point);
    if (!name.empty()) {
      out += name;
    } else if (code_point < 0x80) {
      out += static_cast<char>(code_point);
    } else {
      out += fmt::format("\\[u{:04X}]", code_point);
    }
  }
  return out;
}

std::string ProgramManual(std::span<const CommandSpec> commands) {
  std::string out = Title("zhiwen") + Section("NAME");
  std::string purpose(ProgramPurpose());
  for (char& letter : purpose) letter = letter == '\n' ? ' ' : letter;
  out += fmt::format("zhiwen \\- {}\n", EscapeRoff(purpose));
  out += Section("SYNOPSIS");
  out += fmt::format("{} {} [{}]...\n", Bold("zhiwen"), Italic("COMMAND"), Italic("OPTION"));
  out += Section("COMMANDS");
  for (const CommandSpec& command : commands) {
    out += fmt::format(".TP\n.BR zhiwen\\-{} (1)\n{}", EscapeRoff(command.name),
                       Line(command.summary + "."));
  }
  out += Examples(ProgramExamples());
  out += Meanings("EXIT STATUS", ExitStatuses());
  return out + Meanings("ENVIRONMENT", EnvironmentVariables());
}

std::string CommandManual(const CommandSpec& command) {
  const std::string page = "zhiwen-" + command.name;
  std::string out = Title(page) + Section("NAME");
  out += fmt::format("{} \\- {}\n", EscapeRoff(page), EscapeRoff(command.summary));
  out += Section("SYNOPSIS");
  out += fmt::format("{} [{}]...", Bold("zhiwen " + command.name), Italic("OPTION"));
  if (command.arguments) out += " " + Italic(command.arguments->name);
  out += '\n';
  if (!command.description.empty()) out += Section("DESCRIPTION") + Paragraphs(command.description);
  if (command.arguments) {
    out += Section("ARGUMENTS");
    out += Item(Italic(command.arguments->name), command.arguments->help + ".");
  }
  out += Options(command.options) + Examples(command.examples);
  out += Section("SEE ALSO");
  return out + Reference("zhiwen") + "\n";
}

}  // namespace zhiwen
