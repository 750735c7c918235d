#include <algorithm>

#include <fmt/format.h>

#include "command.h"
#include "dedup_view.h"
#include "option_values.h"
#include "progress_bar.h"
#include "standard_input.h"
#include "zhiwen/dedup.h"
#include "zhiwen/executor.h"
#include "zhiwen/file_system.h"

namespace zhiwen {
namespace {

constexpr uint64_t kMaxListBytes = uint64_t{1} << 30;

Result<DedupMode> ParseMode(std::string_view text) {
  if (text == "near") return DedupMode::kNear;
  if (text == "exact") return DedupMode::kExact;
  return Fail(ErrorCode::kInvalidArgument, fmt::format("\"{}\" is neither near nor exact", text));
}

Result<CandidateSource> ParseCandidates(std::string_view text) {
  if (text == "bands") return CandidateSource::kBands;
  if (text == "exact") return CandidateSource::kExact;
  return Fail(ErrorCode::kInvalidArgument, fmt::format("\"{}\" is neither bands nor exact", text));
}

// The lines of a list of files; blank ones do not count.
std::vector<std::string> SplitLines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!line.empty()) lines.emplace_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

class DedupCommand : public Command {
 public:
  CommandSpec Describe() override;
  Result<int> Run(CommandContext& context) override;

 private:
  std::vector<OptionSpec> DescribeRules();
  std::vector<OptionSpec> DescribeRun();
  Status CollectInputs(const Cancellation& cancellation);

  DedupOptions options_;
  std::string files_from_;
  uint64_t threads_ = 0;
  bool json_ = false;
};

std::vector<OptionSpec> DedupCommand::DescribeRules() {
  std::vector<OptionSpec> options;
  options.push_back(
      ParsedOption("--mode", "MODE", "near (default) or exact", options_.mode, ParseMode));
  options.push_back(ParsedOption("--threshold", "R",
                                 "Resemblance from which texts match, 0.5 to 1 (default 0.8)",
                                 options_.threshold, ParseDecimal));
  options.push_back(TextOption("--keep", "POLICY", options_.keep,
                               "Which copy stays, such as 'longest, earliest(date)'"));
  options.push_back(ChannelOption(options_.channel));
  options.push_back(TextFieldOption(options_.text_fields));
  options.push_back(IdFieldOption(options_.id_field));
  options.push_back(ParsedOption("--candidates", "FROM",
                                 "Find pairs by bands (default) or exact, by a join",
                                 options_.candidates, ParseCandidates));
  options.push_back(CountOption("--max-bucket-kept", {.least = 1}, options_.max_bucket_kept,
                                "Kept documents of a bucket before its pairs go to the join"));
  return options;
}

std::vector<OptionSpec> DedupCommand::DescribeRun() {
  std::vector<OptionSpec> options;
  options.push_back(ParsedOption("--max-failed", "N|P%",
                                 "Failed records that end the run (default 1%, at least 100)",
                                 options_.max_failed, ParseFailureLimit));
  options.push_back(
      TextOption("--files-from", "FILE", files_from_, "Read more inputs from FILE, one a line"));
  options.push_back(
      FlagOption("--overwrite", options_.overwrite, "Replace what the output folder holds"));
  options.push_back(ThreadsOption(threads_));
  options.push_back(JsonOption(json_, "Print the report as JSON instead of the table"));
  return options;
}

CommandSpec DedupCommand::Describe() {
  CommandSpec spec;
  spec.name = "dedup";
  spec.summary = "Find near-duplicates of a corpus and remove them, each with its reason";
  spec.description =
      "Reads JSON Lines and writes to DIR: kept/, removed.jsonl.zst, clusters.jsonl.zst,\n"
      "failed.jsonl.zst and report.json. A document is removed exactly when its\n"
      "resemblance with a kept one is at least the threshold, verified on the shingles\n"
      "of both texts. Punctuation, spaces, width and traditional script do not hide a copy.";
  spec.arguments = ArgumentSpec{"INPUT...", "Files, or folders: every *.jsonl and *.ndjson", 0,
                                SIZE_MAX, &options_.inputs};
  spec.options.push_back(
      TextOption("-o,--output", "DIR", options_.output, "Folder for the result (needed)"));
  for (OptionSpec& option : DescribeRules()) spec.options.push_back(std::move(option));
  for (OptionSpec& option : DescribeRun()) spec.options.push_back(std::move(option));
  spec.examples = {
      {"zhiwen dedup news/*.jsonl -o out/", "remove near-duplicates, show what happened"},
      {"zhiwen dedup corpus/ -o out/ --text-field title,content --keep 'earliest(date)'",
       "of several copies the earliest stays"},
      {"zhiwen dedup corpus/ -o out/ --mode exact --json", "equal texts only; figures as JSON"},
      {"find . -name '*.jsonl' | zhiwen dedup --files-from - -o out/", "inputs from a list"},
  };
  return spec;
}

Status DedupCommand::CollectInputs(const Cancellation& cancellation) {
  if (!files_from_.empty()) {
    ZHIWEN_ASSIGN_OR_RETURN(const std::string list,
                            ReadInput(files_from_, kMaxListBytes, cancellation));
    for (std::string& line : SplitLines(list)) options_.inputs.push_back(std::move(line));
  }
  if (options_.inputs.empty()) {
    return Fail(ErrorCode::kInvalidArgument,
                "dedup needs inputs: files or folders of JSON Lines (see zhiwen dedup --help)");
  }
  if (options_.output.empty()) {
    return Fail(ErrorCode::kInvalidArgument,
                "dedup needs --output DIR, a folder for its result (see zhiwen dedup --help)");
  }
  const auto input = std::find(options_.inputs.begin(), options_.inputs.end(), kStandardInput);
  if (input != options_.inputs.end()) {
    return Fail(ErrorCode::kInvalidArgument,
                "dedup reads its inputs more than once and cannot take standard input; save it to "
                "a file first");
  }
  return {};
}

Result<int> DedupCommand::Run(CommandContext& context) {
  ZHIWEN_RETURN_IF_ERROR(CollectInputs(context.cancellation));
  options_.command = context.typed;
  const std::unique_ptr<Executor> executor = MakeThreadPool(ThreadsToUse(threads_));
  ProgressBar progress(context.console, SystemClock());
  ConsoleLog log(context.console, progress);
  const DedupEnvironment environment{PosixFileSystem(), *executor, SystemClock(),
                                     progress,          log,       context.cancellation};
  const Result<DedupReport> report = Dedup(options_, environment);
  progress.Clear();
  if (!report) return Fail(report.error().code, report.error().message);
  Console& console = context.console;
  if (json_) {
    ZHIWEN_RETURN_IF_ERROR(console.Print(DedupReportToJson(*report, options_)));
  } else if (!console.quiet()) {
    ZHIWEN_RETURN_IF_ERROR(console.Print(
        RenderDedupReport(*report, options_, console.columns(), console.out_palette())));
  }
  return 0;
}

}  // namespace

std::unique_ptr<Command> MakeDedupCommand() { return std::make_unique<DedupCommand>(); }

}  // namespace zhiwen
