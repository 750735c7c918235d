#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "commands/chosen_text.h"
#include "commands/commands.h"
#include "views/inspect_view.h"
#include "zhiwen/file_system.h"
#include "zhiwen/inspect.h"
#include "zhiwen/json_forms.h"
#include "zhiwen/text_window.h"

namespace zhiwen {
namespace {

constexpr uint64_t kLinesShown = 20;       // when the user chose no lines
constexpr uint64_t kBytesShown = 4 << 10;  // at most, of those lines
// Limit for a part that the user chose, and for JSON.
constexpr uint64_t kMostBytes = 1 << 20;

struct Range {
  uint64_t first = 0, last = UINT64_MAX;
};

// Parses "A-B", "A-" (to the end) or "A" (a single one). Lines count from 1 and include B; bytes
// count from 0 and exclude B.
Result<Range> ParseRange(const std::string& text, WindowUnit unit) {
  const uint64_t least = unit == WindowUnit::kLines ? 1 : 0;
  const uint64_t behind = 1 - least;  // 1 for bytes, whose last one is excluded
  const size_t dash = std::min(text.find('-'), text.size());
  Range range;
  ZHIWEN_ASSIGN_OR_RETURN(range.first, ParseCount(text.substr(0, dash), {.least = least}));
  if (dash == text.size()) {
    range.last = range.first + behind;
  } else if (dash + 1 < text.size()) {
    ZHIWEN_ASSIGN_OR_RETURN(range.last, ParseCount(text.substr(dash + 1), {.least = least}));
  }
  if (range.last < range.first) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("\"{}\" ends before it begins; give it as FIRST-LAST", text));
  }
  if (range.last < range.first + behind) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("\"{}\" is empty, as byte {} does not belong to it; give {}-{}", text,
                            range.last, range.first, range.first + 1));
  }
  return range;
}

class InspectCommand : public Command {
 public:
  CommandSpec Describe() override;
  Result<int> Run(CommandContext& context) override;

 private:
  Status OpenChannels(CommandContext& context);
  Status OpenSegmenter(CommandContext& context);
  Result<TextWindow> ReadPart(const Cancellation& cancellation) const;
  void SayWhatIsLeftOut(const TextWindow& window, Console& console) const;

  std::vector<std::string> paths_;
  std::vector<std::string> labels_;
  std::optional<std::string> variants_;
  std::vector<std::string> dictionaries_;
  ChosenFields fields_;
  InspectOptions options_;
  std::optional<Range> lines_, bytes_;
  bool json_ = false;
};

CommandSpec InspectCommand::Describe() {
  CommandSpec spec;
  spec.name = "inspect";
  spec.summary = "Show how every channel reads a text, character by character";
  spec.description =
      "Shows, below each character, its symbol on every channel and the position of its\n"
      "bytes, then the words with their tags. Above that it lists how many symbols each\n"
      "channel has and which disguises it undid. A · stands for a dropped character;\n"
      "changed characters are highlighted where colours are on. Positions are bytes of the\n"
      "decompressed text in UTF-8.\n"
      "\n"
      "Files may have any size: a file above 256 MiB is read only up to the part to show,\n"
      "with a few megabytes in memory. Channels and words see the lines of the part in\n"
      "full, up to 64 KiB on either side.\n"
      "\n"
      "a.jsonl:17 and a.jsonl:id=X name a record of a file of records, as in zhiwen\n"
      "compare.";
  spec.arguments = ArgumentSpec{"FILE", fmt::format("Text file, {}", kNamedTexts), 1, 1, &paths_};
  spec.options.push_back({"--channel", "NAME",
                          "Channel to show; may be repeated (default: all available)",
                          [this](const std::string& text) {
                            labels_.push_back(text);
                            return Status();
                          },
                          ChannelNames(), Repeat::kEach});
  spec.options.push_back(VariantsOption(variants_));
  spec.options.back().help =
      "Also show a channel with these word substitutions: one WORD REPLACEMENT pair per line";
  spec.options.push_back(DictionariesOption(
      dictionaries_, "User dictionary for the words, as in segment; may be repeated"));
  const auto range = [](WindowUnit unit) {
    return [unit](const std::string& text) -> Result<std::optional<Range>> {
      return ParseRange(text, unit);
    };
  };
  spec.options.push_back(Once(ParsedOption("--lines", "A-B",
                                           "Lines to show, counted from 1, at most 1 MiB; A- shows "
                                           "the rest (default: the first 20, at most 4 KiB)",
                                           lines_, range(WindowUnit::kLines))));
  spec.options.push_back(Once(
      ParsedOption("--bytes", "A-B",
                   "Bytes to show, counted from 0, without byte B; whole characters, at most 1 MiB",
                   bytes_, range(WindowUnit::kBytes))));
  for (OptionSpec& option : ChosenFieldSpecs(fields_)) spec.options.push_back(std::move(option));
  spec.options.push_back(
      JsonOption(json_, "Print JSON with symbols, their names and bytes, counts and words"));
  spec.examples = {
      {"zhiwen inspect a.txt", "show the first 20 lines on every channel"},
      {"zhiwen inspect --channel folded --channel pinyin --lines 3-5 a.txt",
       "show three lines on two channels"},
      {"zhiwen inspect --bytes 1200-1260 a.txt",
       "show the passage that compare located at bytes 1200–1260"},
      {"zhiwen inspect a.jsonl:17", "show the text of record 17"},
      {"zhiwen inspect --variants words.txt a.txt",
       "add a channel with your own word substitutions"},
      {"zhiwen inspect --dict names.txt a.txt", "use your own dictionary for the words"},
      {"echo 氵州氵州 | zhiwen inspect --json -", "print JSON for a program"},
  };
  return spec;
}

// Opens the named channels, or all channels. When all are opened, channels that lack their language
// data are left out with a warning.
Status InspectCommand::OpenChannels(CommandContext& context) {
  const bool all = labels_.empty();
  if (all) labels_ = ChannelNames();
  std::vector<std::string> opened, missing;
  std::string why;
  for (const std::string& label : labels_) {
    Result<Channel> channel = context.language.OpenChannel(label);
    if (channel) {
      options_.channels.push_back(*std::move(channel));
      opened.push_back(label);
    } else if (all && channel.error().code == ErrorCode::kNotFound) {
      missing.push_back(label);
      why = channel.error().message;
    } else {
      return Fail(std::move(channel));
    }
  }
  labels_ = std::move(opened);
  if (variants_) {
    ZHIWEN_ASSIGN_OR_RETURN(const auto channel, context.language.OpenChosen({}, variants_));
    options_.channels.push_back(*channel);
    labels_.emplace_back("variants");
  }
  if (!missing.empty()) {
    context.console.PrintWarning(fmt::format("cannot show {}: {}", fmt::join(missing, ", "), why));
  }
  return {};
}

// Opens the segmenter when there is language data. Without the data, words are not shown; that is
// an error only when a dictionary was named.
Status InspectCommand::OpenSegmenter(CommandContext& context) {
  ZHIWEN_ASSIGN_OR_RETURN(const std::vector<UserFile> dictionaries,
                          ReadUserFiles(PosixFileSystem(), dictionaries_));
  auto language = context.language.Open();
  const bool does_without = dictionaries.empty();
  if (!language && language.error().code == ErrorCode::kNotFound && does_without) return {};
  if (!language) return Fail(std::move(language));
  ZHIWEN_ASSIGN_OR_RETURN(options_.segmenter, Segmenter::Create(*language, dictionaries));
  return {};
}

Result<TextWindow> InspectCommand::ReadPart(const Cancellation& cancellation) const {
  const Range range = bytes_.value_or(lines_.value_or(Range{1, json_ ? UINT64_MAX : kLinesShown}));
  WindowOptions options{
      .name = paths_[0],
      .unit = bytes_ ? WindowUnit::kBytes : WindowUnit::kLines,
      .first = range.first,
      .last = range.last,
      .most_bytes = lines_ || bytes_ || json_ ? kMostBytes : kBytesShown,
  };
  ZHIWEN_ASSIGN_OR_RETURN(ChosenFile chosen, OpenChosenText(paths_[0], fields_, cancellation));
  options.encoding = chosen.encoding;
  return ReadTextWindow(std::move(chosen.file), options, cancellation);
}

void InspectCommand::SayWhatIsLeftOut(const TextWindow& window, Console& console) const {
  const bool is_chosen = lines_ || bytes_;
  if (is_chosen && window.is_cut) {
    console.PrintWarning(
        fmt::format("shows the first {} bytes of what was chosen; go on with --bytes {}-",
                    window.part.size(), window.part.end.value));
  }
  if (is_chosen || window.part.end.value == window.bytes) return;
  console.PrintWarning(fmt::format(
      "shows the first {} {}bytes; choose others with --lines A-B or --bytes A-B",
      window.part.size(), window.bytes ? fmt::format("of {} ", *window.bytes) : std::string()));
}

Result<int> InspectCommand::Run(CommandContext& context) {
  if (lines_ && bytes_) {
    return Fail(ErrorCode::kInvalidArgument, "give --lines or --bytes, not both");
  }
  ZHIWEN_RETURN_IF_ERROR(RefuseIdleFields(paths_, fields_));
  ZHIWEN_RETURN_IF_ERROR(OpenChannels(context));
  ZHIWEN_RETURN_IF_ERROR(OpenSegmenter(context));
  options_.name = paths_[0];
  ZHIWEN_ASSIGN_OR_RETURN(const TextWindow window, ReadPart(context.cancellation));
  ZHIWEN_ASSIGN_OR_RETURN(const Inspection inspection, InspectText(window, options_));
  Console& console = context.console;
  const bool is_beginning = window.begin.value == 0;
  if (const std::string warning = WarningOfRecords(paths_[0], window.text, fields_);
      is_beginning && !warning.empty()) {
    console.PrintWarning(warning);
  }
  if (json_) {
    ZHIWEN_RETURN_IF_ERROR(console.Print(InspectionToJson(inspection, options_) + "\n"));
  } else {
    ZHIWEN_RETURN_IF_ERROR(console.Print(RenderInspection(
        inspection, {paths_[0], labels_}, console.columns(), console.out_palette())));
  }
  SayWhatIsLeftOut(window, console);
  return 0;
}

}  // namespace

std::unique_ptr<Command> MakeInspectCommand() { return std::make_unique<InspectCommand>(); }

}  // namespace zhiwen
