#include <algorithm>
#include <set>

#include <unistd.h>

#include "command_line/advice_words.h"
#include "command_line/idle_options.h"
#include "command_line/option_values.h"
#include "commands/commands.h"
#include "commands/file_list.h"
#include "terminal/progress_bar.h"
#include "terminal/standard_input.h"
#include "views/dedup_view.h"
#include "views/forecast_view.h"
#include "zhiwen/dedup.h"
#include "zhiwen/dedup_forecast.h"
#include "zhiwen/executor.h"
#include "zhiwen/file_system.h"

namespace zhiwen {
namespace {

constexpr uint64_t kMaxListBytes = uint64_t{1} << 30;

// Returns half of the machine's memory, which leaves room for its page cache and other programs.
uint64_t UsualMemory() {
  const auto pages = static_cast<uint64_t>(std::max(sysconf(_SC_PHYS_PAGES), 0L));
  const auto page = static_cast<uint64_t>(std::max(sysconf(_SC_PAGE_SIZE), 0L));
  return std::max(pages * page / 2, kLeastDedupMemory);
}

OptionSpec FieldOption(std::string names, std::optional<std::string>& target, std::string help) {
  return Once({std::move(names), "FIELD", std::move(help), [&target](const std::string& text) {
                 target = text;
                 return Status();
               }});
}

class DedupCommand : public Command {
 public:
  CommandSpec Describe() override;
  Result<int> Run(CommandContext& context) override;

 private:
  std::vector<OptionSpec> DescribeRules();
  std::vector<OptionSpec> DescribeReferences();
  std::vector<OptionSpec> DescribeRun();
  std::vector<OptionSpec> DescribeOutput();
  Status CollectInputs(const Cancellation& cancellation);
  Status Forecast(CommandContext& context, const DedupEnvironment& environment,
                  ProgressBar& progress);

  DedupOptions options_;
  std::set<std::string> typed_;  // long names of the options that were given
  std::optional<std::string> channel_, variants_;
  std::string files_from_;
  uint64_t threads_ = 0;
  uint64_t run_ = options_.against_run;
  uint64_t min_reference_ = options_.min_reference;
  bool plan_ = false;
  bool json_ = false;
};

std::vector<OptionSpec> DedupCommand::DescribeRules() {
  std::vector<OptionSpec> options;
  options.push_back(ChoiceOption<DedupMode>("--mode", "MODE",
                                            "Which duplicates to remove: ", options_.mode,
                                            {{"near", DedupMode::kNear},
                                             {"exact", DedupMode::kExact},
                                             {"contained", DedupMode::kContained}}));
  options.push_back(ParsedOption("--threshold", "R",
                                 "Least similarity of a match (default 0.8): resemblance, 0.5 to "
                                 "1; in mode contained the containment, above 0",
                                 options_.threshold, ParseDecimal));
  options.push_back(
      TextOption("--keep", "POLICY", options_.keep,
                 "Which copy is kept: longest (default), shortest, first, earliest(F), latest(F), "
                 "highest(F), lowest(F) or prefer(F=VALUE,...), where F is a field; combine them "
                 "with commas: 'longest, earliest(date)'. With none, as in 'longest, none', the "
                 "document that the others of its cluster are removed for is removed, too"));
  // The rules that need no field.
  options.back().choices = {"longest", "shortest", "first", "none"};
  options.back().repeat = Repeat::kRefused;
  options.push_back(ChannelOption(channel_));
  options.push_back(VariantsOption(variants_));
  options.push_back(TextFieldOption(options_.text_fields));
  options.push_back(TextTypeOption(options_.text_type));
  options.push_back(IdFieldOption(options_.id_field));
  options.push_back(FieldOption(
      "--group-by", options_.group_by,
      "Compare only records with the same value of FIELD; records without a value form one group"));
  options.push_back(FieldOption("--key", options_.key,
                                "Before texts are compared, keep one of the records with equal "
                                "values of FIELD; 'url(FIELD)' compares addresses of pages"));
  options.push_back(Once(ParsedOption(
      "--within", "FIELD,AGE",
      "Never match records whose dates in FIELD lie farther apart than AGE: 'date,7d' (s, m, h, d)",
      options_.within, ParseDateLimit)));
  options.push_back(ChoiceOption<CandidateSource>(
      "--candidates", "FROM",
      "How pairs to compare are found, from hashes, which may miss a few, as the report says, or, "
      "slower, all of them: ",
      options_.candidates,
      {{"bands", CandidateSource::kBands}, {"exact", CandidateSource::kExact}}));
  options.push_back(CountOption("--max-bucket-kept", {.least = 1}, options_.max_bucket_kept,
                                "With bands: of more kept documents than this that have a hash in "
                                "common, find the pairs as with exact (default 2000)"));
  return options;
}

std::vector<OptionSpec> DedupCommand::DescribeReferences() {
  std::vector<OptionSpec> options;
  options.push_back({"--against", "FILE",
                     "Remove inputs that match a record of this file or folder, whose format, "
                     "encoding and separator are found out whatever is named for inputs; may be "
                     "repeated",
                     [this](const std::string& text) {
                       options_.against.push_back(text);
                       return Status();
                     }});
  options.back().repeat = Repeat::kEach;
  options.push_back(ChoiceOption<ReferenceRule>(
      "--against-rule", "RULE",
      "When an input matches a record of --against: ", options_.against_rule,
      {{"near", ReferenceRule::kNear},
       {"contained-in", ReferenceRule::kContainedIn},
       {"contains", ReferenceRule::kContains},
       {"overlap", ReferenceRule::kOverlap}}));
  options.push_back(ParsedOption(
      "--against-threshold", "R",
      "Least similarity with a record of --against, above 0 (default: as --threshold)",
      options_.against_threshold, [](const std::string& text) -> Result<std::optional<double>> {
        ZHIWEN_ASSIGN_OR_RETURN(const double value, ParseDecimal(text));
        return std::optional(value);
      }));
  options.push_back(
      CountOption("--run", {.least = 5, .most = UINT32_MAX}, run_,
                  "Number of consecutive characters or words that make an overlap (default 50)"));
  options.push_back(
      CountOption("--min-reference", {.least = 1, .most = UINT32_MAX}, min_reference_,
                  "With contains: a reference of fewer characters or words matches nothing "
                  "(default 13)"));
  options.push_back(
      ParsedOption("--common-share", "P%|none",
                   "With contains: shingles that more than P % of the inputs have do not count "
                   "for a reference (default 0.1%)",
                   options_.common_share, ParseShare));
  options.push_back(
      ChoiceOption<ReferenceAction>("--action", "ACTION",
                                    "What happens to an input that matches a reference; cut, with "
                                    "contains and overlap, takes the passages out, writes them to "
                                    "cuts.jsonl.zst, and compares what is left with references "
                                    "alone: ",
                                    options_.against_action,
                                    {{"remove", ReferenceAction::kRemove},
                                     {"mark", ReferenceAction::kMark},
                                     {"cut", ReferenceAction::kCut}}));
  return options;
}

std::vector<OptionSpec> DedupCommand::DescribeRun() {
  std::vector<OptionSpec> options;
  options.push_back(
      ParsedOption("--max-failed", "N|P%",
                   "Failed records to allow before exit 3 (default 1%, at least 100, at most half)",
                   options_.max_failed, ParseFailureLimit));
  options.push_back(ParsedOption(
      "--audit", "N|none", "Number of removals and of kept documents to check again (default 1000)",
      options_.audit, ParseAudit));
  options.push_back(FlagOption("--unique-ids", options_.unique_ids,
                               "End the run if two records have the same id"));
  options.push_back(FlagOption("--skip-bad-files", options_.skip_bad_files,
                               "Read damaged files up to the damage, and skip archives"));
  options.push_back(Once(
      TextOption("--files-from", "FILE", files_from_,
                 "Read more inputs from FILE, one per line, or separated by NUL (find -print0)")));
  options.push_back(FormatOption(options_.format));
  options.push_back(SeparatorOption("--separator", options_.syntax));
  options.push_back(EncodingOption(options_.syntax));
  options.push_back(ParsedOption("--memory", "SIZE",
                                 "Memory to use, such as 8G (default: half of the machine's)",
                                 options_.memory_bytes, ParseBytes));
  options.push_back(
      Once(TextOption("--scratch", "DIR", options_.scratch,
                      "Folder for data that does not fit in memory (default: the output folder)")));
  options.push_back(
      FlagOption("--resume", options_.resume, "Continue the interrupted run in the output folder"));
  options.push_back(ParsedOption("--checkpoint-every", "S",
                                 "Save progress every S seconds (default 60)",
                                 options_.checkpoint_every, ParseDecimal));
  options.push_back(FlagOption(
      "--plan", plan_, "Forecast memory, scratch space and time from a sample, and write nothing"));
  options.push_back(ThreadsOption(threads_));
  options.push_back(JsonOption(json_, "Print the report as JSON instead of the table"));
  return options;
}

std::vector<OptionSpec> DedupCommand::DescribeOutput() {
  std::vector<OptionSpec> options;
  options.push_back(OutputOption("DIR", options_.output, "Output folder (required)"));
  options.push_back(FlagOption("--overwrite", options_.overwrite,
                               "Replace the earlier result in the output folder"));
  options.push_back(
      FieldOption("--mark", options_.mark,
                  "Keep all records and add the field FIELD: true in those that would be removed, "
                  "false in the others. A dot in FIELD is part of its name"));
  options.push_back(FieldOption("--mark-keeper", options_.mark_keeper,
                                "With --mark: name the keeper of a marked record in FIELD, as "
                                "kept_id does; null or empty in the others"));
  options.push_back(FlagOption("--add-cluster-size", options_.add_cluster_size,
                               "Add the field cluster_size to all records in kept/"));
  return options;
}

CommandSpec DedupCommand::Describe() {
  options_.memory_bytes = UsualMemory();
  CommandSpec spec;
  spec.name = "dedup";
  spec.summary = "Remove duplicates and near-duplicates from a corpus, each with its reason";
  spec.description =
      "Finds documents with equal or similar texts and removes all but one of each. A\n"
      "document is removed if, and only if, its resemblance with a kept document reaches\n"
      "the threshold; this is verified on the shingles (5 consecutive characters or words)\n"
      "of both texts. Punctuation, spaces, full or half width and traditional or simplified\n"
      "script make no difference, except operators beside letters and digits (38/12 is not\n"
      "38-12) and spaces inside a word.\n"
      "\n"
      "Inputs are JSON Lines, JSON arrays, CSV, TSV, Parquet or text files, plain, gzip or\n"
      "zstd. From a folder, all files of records are read, or its *.txt files if it has no\n"
      "others; names that begin with a dot are skipped.\n"
      "\n"
      "The output folder gets kept/, removed.jsonl.zst, clusters.jsonl.zst,\n"
      "failed.jsonl.zst, report.html and report.json.";
  spec.arguments = ArgumentSpec{"INPUT...", "Files or folders; - for standard input", 0, SIZE_MAX,
                                &options_.inputs};
  for (OptionSpec& option : DescribeOutput()) spec.options.push_back(std::move(option));
  for (OptionSpec& option : DescribeRules()) spec.options.push_back(std::move(option));
  for (OptionSpec& option : DescribeReferences()) spec.options.push_back(std::move(option));
  for (OptionSpec& option : DescribeRun()) spec.options.push_back(std::move(option));
  NoteTyped(spec.options, typed_);
  spec.examples = {
      {"zhiwen dedup news/*.jsonl -o out/", "remove near-duplicates and show the result"},
      {"zhiwen dedup corpus/ -o out/ --text-field title,content --keep 'earliest(date)'",
       "keep the earliest copy"},
      {"zhiwen dedup corpus/ -o out/ --mode exact --json",
       "remove equal texts only, print the report as JSON"},
      {"zhiwen dedup corpus/ -o out/ --mode contained",
       "also remove texts that are part of a larger one"},
      {"zhiwen dedup train/*.jsonl -o out/ --against test.jsonl --against-rule contains",
       "remove texts that contain an item of a test set"},
      {"zhiwen dedup train/ -o out/ --against test.jsonl --action mark --mark leak",
       "keep texts that match a test set, with \"leak\": true"},
      {"zhiwen dedup train/ -o out/ --against test.jsonl --against-rule contains --action cut",
       "keep texts that contain an item of a test set, without the item"},
      {"zhiwen dedup crawl/*.csv.gz -o out/ --mark duplicate --memory 2G",
       "mark duplicates instead of removing them, using 2 GiB of memory"},
      {"zhiwen dedup crawl/*.parquet --memory 8G --plan",
       "forecast memory, scratch space and time without running"},
      {"zstdcat big.jsonl.zst | zhiwen dedup - -o out/", "read records from standard input"},
      {"find . -name '*.jsonl' -print0 | zhiwen dedup --files-from - -o out/",
       "read the names of the inputs from a list"},
  };
  return spec;
}

Status DedupCommand::CollectInputs(const Cancellation& cancellation) {
  if (!files_from_.empty()) {
    ZHIWEN_ASSIGN_OR_RETURN(const std::string list,
                            ReadInput(files_from_, kMaxListBytes, cancellation));
    for (std::string& line : SplitFileList(list)) options_.inputs.push_back(std::move(line));
  }
  if (options_.inputs.empty()) {
    return Fail(ErrorCode::kInvalidArgument,
                "dedup needs inputs: files or folders (see zhiwen dedup --help)");
  }
  if (options_.output.empty() && !plan_) {
    return Fail(ErrorCode::kInvalidArgument,
                "dedup needs --output DIR, a folder for its result (see zhiwen dedup --help)");
  }
  return {};
}

Status DedupCommand::Forecast(CommandContext& context, const DedupEnvironment& environment,
                              ProgressBar& progress) {
  Console& console = context.console;
  Result<DedupForecast> forecast = ForecastDedup(options_, environment);
  progress.Clear();
  if (!forecast) return Fail(std::move(forecast));
  if (json_) return console.Print(DedupForecastToJson(*forecast));
  if (console.quiet()) return {};
  for (ForecastProblem& problem : forecast->problems) {
    problem.message = WithOptions(problem.message, problem.advice, context.command);
  }
  return console.Print(RenderDedupForecast(*forecast, options_, console.out_palette()));
}

Result<int> DedupCommand::Run(CommandContext& context) {
  ZHIWEN_RETURN_IF_ERROR(CheckNoIdleOption(typed_, options_));
  ZHIWEN_ASSIGN_OR_RETURN(const std::optional<Channel> channel,
                          context.language.OpenChosen(channel_, variants_));
  if (channel) options_.channel = *channel;
  ZHIWEN_RETURN_IF_ERROR(CollectInputs(context.cancellation));
  options_.command = context.typed;
  options_.against_run = static_cast<uint32_t>(run_);
  options_.min_reference = static_cast<uint32_t>(min_reference_);
  const std::unique_ptr<Executor> executor = MakeThreadPool(ThreadsToUse(threads_));
  ProgressBar progress(context.console, SystemClock());
  ConsoleLog log(context.console, progress);
  const std::unique_ptr<ReadableFile> standard_input = OpenStandardInput(context.cancellation);
  const DedupEnvironment environment{
      PosixFileSystem(),    *executor,           SystemClock(), progress, log,
      context.cancellation, standard_input.get()};
  if (plan_) {
    ZHIWEN_RETURN_IF_ERROR(Forecast(context, environment, progress));
    return 0;
  }
  Result<DedupReport> report = Dedup(options_, environment);
  progress.Clear();
  if (!report) return Fail(std::move(report));
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
