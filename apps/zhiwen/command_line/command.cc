#include "command_line/command.h"

#include <algorithm>
#include <thread>

#include <fmt/format.h>

#include "command_line/option_values.h"
#include "command_line/suggest.h"

namespace zhiwen {
namespace {

constexpr uint64_t kMaxThreads = 1024;

}  // namespace

Result<const CommandSpec*> FindCommand(std::span<const CommandSpec> commands,
                                       const std::string& name) {
  std::vector<std::string> names;
  for (const CommandSpec& command : commands) {
    if (command.name == name) return &command;
    names.push_back(command.name);
  }
  const std::optional<std::string> meant = SuggestName(name, names);
  return Fail(ErrorCode::kInvalidArgument,
              fmt::format("there is no command \"{}\"{} (see zhiwen --help)", name,
                          meant ? fmt::format("; did you mean {}?", *meant) : ""));
}

std::string LongName(const std::string& names) { return names.substr(names.rfind(',') + 1); }

std::vector<std::string> SplitNames(const OptionSpec& option) {
  const size_t comma = option.names.find(',');
  if (comma == std::string::npos) return {option.names};
  return {option.names.substr(0, comma), option.names.substr(comma + 1)};
}

std::vector<std::string> ChannelNames() {
  std::vector<std::string> names;
  for (const ChannelDescription& channel : DescribeChannels())
    names.emplace_back(channel.short_name);
  return names;
}

OptionSpec FlagOption(std::string names, bool& target, std::string help) {
  return {std::move(names), "", std::move(help), [&target](const std::string&) {
            target = true;
            return Status();
          }};
}

OptionSpec TextOption(std::string names, std::string value, std::string& target, std::string help) {
  return {std::move(names), std::move(value), std::move(help), [&target](const std::string& text) {
            target = text;
            return Status();
          }};
}

OptionSpec Once(OptionSpec option) {
  option.repeat = Repeat::kRefused;
  return option;
}

OptionSpec OutputOption(std::string value, std::string& target, std::string help) {
  OptionSpec option = Once(TextOption("-o,--output", std::move(value), target, std::move(help)));
  option.take = [&target](const std::string& text) -> Status {
    if (text == "-") {
      return Fail(ErrorCode::kInvalidArgument,
                  "the output cannot go to standard output; for a file called \"-\" give ./-");
    }
    target = text;
    return {};
  };
  return option;
}

OptionSpec CountOption(std::string names, CountRange range, uint64_t& target, std::string help) {
  return ParsedOption(std::move(names), "N", std::move(help), target,
                      [range](const std::string& text) { return ParseCount(text, range); });
}

OptionSpec ChannelOption(std::optional<std::string>& target) {
  const std::vector<std::string> channels = ChannelNames();
  OptionSpec option{"--channel", "NAME",
                    "How texts are read: " + ListChoices(channels, channels.front()) +
                        "; zhiwen inspect shows a text on each",
                    [&target](const std::string& text) -> Status {
                      target = text;
                      const Result<Channel> opened = OpenChannel(text);
                      const bool is_wrong =
                          !opened && opened.error().code == ErrorCode::kInvalidArgument;
                      return is_wrong ? Fail(Result<Channel>(opened)) : Status();
                    }};
  option.choices = channels;
  return option;
}

OptionSpec VariantsOption(std::optional<std::string>& target) {
  return Once({"--variants", "FILE", "Word substitutions: one WORD REPLACEMENT pair per line",
               [&target](const std::string& text) {
                 target = text;
                 return Status();
               }});
}

OptionSpec DictionariesOption(std::vector<std::string>& target, std::string help) {
  OptionSpec option{"--dict", "FILE", std::move(help), [&target](const std::string& path) {
                      target.push_back(path);
                      return Status();
                    }};
  option.repeat = Repeat::kEach;
  return option;
}

OptionSpec TextFieldOption(std::vector<std::string>& target) {
  return Once(ParsedOption("--text-field", "A,B",
                           "Fields with the text, dotted: title,body.text (default text)", target,
                           ParseNames));
}

OptionSpec IdFieldOption(std::optional<std::string>& target) {
  return Once({"--id-field", "NAME", "Field with the id (default id, if a record has it)",
               [&target](const std::string& text) {
                 target = text;
                 return Status();
               }});
}

OptionSpec TextTypeOption(std::optional<DocumentType>& target) {
  const std::vector<Choice<DocumentType>> choices = {{"text", DocumentType::kText},
                                                     {"html", DocumentType::kHtml}};
  OptionSpec option = ParsedOption(
      "--text-format", "FORMAT", "What the text fields of records hold: text or html", target,
      [choices](const std::string& text) -> Result<std::optional<DocumentType>> {
        ZHIWEN_ASSIGN_OR_RETURN(const DocumentType type, ParseChoice(text, choices));
        return std::optional(type);
      });
  option.choices = NamesOf(choices);
  return option;
}

OptionSpec FormatOption(std::optional<DocumentFormat>& target) {
  std::vector<Choice<DocumentFormat>> choices;
  for (const auto format :
       {DocumentFormat::kJsonLines, DocumentFormat::kJsonArray, DocumentFormat::kCsv,
        DocumentFormat::kTsv, DocumentFormat::kText, DocumentFormat::kDocument,
        DocumentFormat::kWarc, DocumentFormat::kArchive, DocumentFormat::kParquet}) {
    choices.push_back({std::string(DocumentFormatName(format)), format});
  }
  OptionSpec option = ParsedOption(
      "--format", "FORMAT", "Format of all inputs (default: by name, or by the first bytes)",
      target, [choices](const std::string& text) -> Result<std::optional<DocumentFormat>> {
        ZHIWEN_ASSIGN_OR_RETURN(const DocumentFormat format, ParseChoice(text, choices));
        return std::optional(format);
      });
  option.choices = NamesOf(choices);
  return option;
}

OptionSpec SeparatorOption(std::string name, FileSyntax& target) {
  return ParsedOption(
      std::move(name), "C",
      "What separates the fields of CSV: one character, or tab (default: a comma, or "
      "the ; | or tab that the first line has instead)",
      target.separator, ParseSeparator);
}

std::string ListEncodings() {
  return "utf-8, gb18030 (also gbk, gb2312), big5, utf-16, utf-16le, utf-16be, euc-tw, shift_jis, "
         "euc-jp, euc-kr, windows-1252";
}

OptionSpec EncodingOption(FileSyntax& target) {
  OptionSpec option = ParsedOption("--encoding", "NAME",
                                   "Encoding of every input: auto (default, by its first bytes), " +
                                       ListEncodings() + "; a byte order mark overrules it",
                                   target.encoding, ParseTextEncoding);
  option.choices = {"auto"};
  for (const auto encoding : {TextEncoding::kUtf8, TextEncoding::kGb18030, TextEncoding::kBig5,
                              TextEncoding::kUtf16, TextEncoding::kUtf16Le, TextEncoding::kUtf16Be,
                              TextEncoding::kEucTw, TextEncoding::kShiftJis, TextEncoding::kEucJp,
                              TextEncoding::kEucKr, TextEncoding::kWindows1252}) {
    option.choices.emplace_back(TextEncodingName(encoding));
  }
  return option;
}

OptionSpec ThreadsOption(uint64_t& target) {
  return CountOption("-j,--threads", {1, kMaxThreads}, target,
                     "Number of threads (default: one per core)");
}

OptionSpec JsonOption(bool& target, std::string help) {
  return FlagOption("--json", target, std::move(help));
}

size_t ThreadsToUse(uint64_t option) {
  return option != 0 ? option : std::max(1u, std::thread::hardware_concurrency());
}

}  // namespace zhiwen
