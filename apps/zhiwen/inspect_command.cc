#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "command.h"
#include "inspect_view.h"
#include "standard_input.h"
#include "zhiwen/inspect.h"

namespace zhiwen {
namespace {

constexpr uint64_t kMaxTextBytes = uint64_t{1} << 28;
constexpr uint64_t kLinesShown = 20;       // where nobody chose others
constexpr uint64_t kBytesShown = 4 << 10;  // of them
constexpr uint64_t kMostBytes = 1 << 20;   // of a part that somebody chose, and of JSON

// "A-B" or "A", or "A-" for all that follow.
struct Range {
  uint64_t first = 0, last = UINT64_MAX;
};

Result<Range> ParseRange(const std::string& text, uint64_t least) {
  const size_t dash = std::min(text.find('-'), text.size());
  Range range;
  ZHIWEN_ASSIGN_OR_RETURN(range.first, ParseCount(text.substr(0, dash), {.least = least}));
  if (dash == text.size()) {
    range.last = range.first;
  } else if (dash + 1 < text.size()) {
    ZHIWEN_ASSIGN_OR_RETURN(range.last, ParseCount(text.substr(dash + 1), {.least = least}));
  }
  if (range.last < range.first) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("\"{}\" ends before it begins; give it as FIRST-LAST", text));
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
  Result<ByteSpan> ChoosePart(std::string_view text) const;
  void SayWhatIsLeftOut(const Inspection& inspection, Console& console) const;

  std::vector<std::string> paths_;
  std::vector<std::string> labels_;
  InspectOptions options_;
  std::optional<Range> lines_, bytes_;
  bool json_ = false;
};

CommandSpec InspectCommand::Describe() {
  CommandSpec spec;
  spec.name = "inspect";
  spec.summary = "Show a text as every channel sees it";
  spec.description =
      "Shows below each character what every channel makes of it, where its bytes are, and\n"
      "the words with their tags; before that how many symbols each channel has, and what it\n"
      "undid. · is dropped; what a channel changed is marked where there is colour. Spans are\n"
      "bytes of the text, of a compressed file when decompressed.";
  spec.arguments = ArgumentSpec{
      "FILE", "Text file in UTF-8, plain, gzip or zstd; - for standard input", 1, 1, &paths_};
  spec.options.push_back({"--channel", "NAME",
                          "A channel to show; may be repeated (default: all that can be opened)",
                          [this](const std::string& text) {
                            labels_.push_back(text);
                            return Status();
                          },
                          ChannelNames(), Repeat::kEach});
  spec.options.push_back(ParsedOption(
      "--lines", "A-B", "Lines to show, from 1 (default: the first 20)", lines_,
      [](const std::string& text) -> Result<std::optional<Range>> { return ParseRange(text, 1); }));
  spec.options.push_back(ParsedOption(
      "--bytes", "A-B", "Bytes to show, from 0, B itself not among them", bytes_,
      [](const std::string& text) -> Result<std::optional<Range>> { return ParseRange(text, 0); }));
  spec.options.push_back(
      JsonOption(json_, "Print JSON: symbols, their names and bytes, counts, words"));
  spec.examples = {
      {"zhiwen inspect a.txt", "every channel, the first 20 lines"},
      {"zhiwen inspect --channel folded --channel pinyin --lines 3-5 a.txt", "two, of three lines"},
      {"zhiwen inspect --bytes 1200-1260 a.txt", "what compare showed as bytes 1200–1260"},
      {"echo 氵州氵州 | zhiwen inspect --json -", "for a program"},
  };
  return spec;
}

// Those that were named, or all; of all, those without their language data are left out.
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
  if (!missing.empty()) {
    context.console.PrintWarning(fmt::format("cannot show {}: {}", fmt::join(missing, ", "), why));
  }
  return {};
}

// Where there is language data; what shows text without it does without words.
Status InspectCommand::OpenSegmenter(CommandContext& context) {
  auto language = context.language.Open();
  if (!language && language.error().code == ErrorCode::kNotFound) return {};
  if (!language) return Fail(std::move(language));
  ZHIWEN_ASSIGN_OR_RETURN(options_.segmenter, Segmenter::Create(*language));
  return {};
}

Result<ByteSpan> InspectCommand::ChoosePart(std::string_view text) const {
  if (bytes_) {
    const uint64_t most = std::min<uint64_t>(bytes_->last, text.size());
    const uint64_t end = bytes_->first == bytes_->last ? bytes_->last + 1 : most;
    return ByteSpan{{bytes_->first}, {std::min(end, bytes_->first + kMostBytes)}};
  }
  const Range lines = lines_.value_or(Range{1, json_ ? UINT64_MAX : kLinesShown});
  size_t begin = 0;
  for (uint64_t line = 1; line < lines.first; ++line) {
    const size_t after = text.find('\n', begin);
    if (after + 1 >= text.size() || after == std::string_view::npos) {
      return Fail(ErrorCode::kInvalidArgument,
                  fmt::format("cannot show line {} of \"{}\", which has {}", lines.first,
                              options_.name, line));
    }
    begin = after + 1;
  }
  size_t end = begin;
  for (uint64_t line = lines.first; line <= lines.last && end < text.size(); ++line) {
    end = std::min(text.find('\n', end), text.size() - 1) + 1;
  }
  const uint64_t most = lines_ || json_ ? kMostBytes : kBytesShown;
  return ByteSpan{{begin}, {std::min<uint64_t>(end, begin + most)}};
}

void InspectCommand::SayWhatIsLeftOut(const Inspection& inspection, Console& console) const {
  const ByteSpan part = inspection.part;
  const ByteSpan chosen = options_.part;
  if ((lines_ || bytes_) && part.size() < chosen.size()) {
    console.PrintWarning(
        fmt::format("shows the first {} of the {} bytes that were chosen; choose "
                    "the others in another call",
                    part.size(), chosen.size()));
  }
  if (lines_ || bytes_ || part.size() >= inspection.bytes) return;
  console.PrintWarning(
      fmt::format("shows the first {} of {} bytes; choose others with --lines A-B or --bytes A-B",
                  part.size(), inspection.bytes));
}

Result<int> InspectCommand::Run(CommandContext& context) {
  if (lines_ && bytes_) {
    return Fail(ErrorCode::kInvalidArgument, "give --lines or --bytes, not both");
  }
  ZHIWEN_RETURN_IF_ERROR(OpenChannels(context));
  ZHIWEN_RETURN_IF_ERROR(OpenSegmenter(context));
  options_.name = paths_[0];
  ZHIWEN_ASSIGN_OR_RETURN(const std::string text,
                          ReadText(paths_[0], kMaxTextBytes, context.cancellation));
  ZHIWEN_ASSIGN_OR_RETURN(options_.part, ChoosePart(text));
  ZHIWEN_ASSIGN_OR_RETURN(const Inspection inspection, InspectText(text, options_));
  Console& console = context.console;
  if (json_) {
    ZHIWEN_RETURN_IF_ERROR(console.Print(InspectionToJson(inspection, text, options_) + "\n"));
  } else if (!console.quiet()) {
    ZHIWEN_RETURN_IF_ERROR(console.Print(RenderInspection(
        inspection, {text, paths_[0], labels_}, console.columns(), console.out_palette())));
  }
  SayWhatIsLeftOut(inspection, console);
  return 0;
}

}  // namespace

std::unique_ptr<Command> MakeInspectCommand() { return std::make_unique<InspectCommand>(); }

}  // namespace zhiwen
