#include <iterator>
#include <set>

#include <fmt/format.h>

#include "command_line/idle_options.h"
#include "commands/batch_run.h"
#include "commands/chosen_schemes.h"
#include "commands/commands.h"
#include "commands/document_options.h"
#include "views/calibration_view.h"
#include "zhiwen/calibration.h"
#include "zhiwen/figures.h"
#include "zhiwen/file_system.h"

namespace zhiwen {
namespace {

// Parses a share such as 90%.
Result<double> ParseFoundShare(std::string_view text) {
  ZHIWEN_ASSIGN_OR_RETURN(const std::optional<double> share, ParseShare(text));
  if (share && *share > 0 && *share < 1) return *share;
  return Fail(ErrorCode::kInvalidArgument,
              fmt::format("\"{}\" is no share above 0% and below 100%, such as 90%", text));
}

Result<double> ParseUnrelated(std::string_view text) {
  ZHIWEN_ASSIGN_OR_RETURN(const double resemblance, ParseDecimal(text));
  if (resemblance > 0 && resemblance <= 1) return resemblance;
  return Fail(ErrorCode::kInvalidArgument,
              fmt::format("\"{}\" is no resemblance above 0 and at most 1", text));
}

class CalibrateCommand : public Command {
 public:
  CommandSpec Describe() override;
  Result<int> Run(CommandContext& context) override;

 private:
  using Output = CalibrationOutput;
  Status CheckOptions();
  Result<std::unique_ptr<Output>> CreateOutput(const std::string& path, Output::Form form) const;

  CalibrateOptions options_;
  ChosenSchemes chosen_;
  std::set<std::string> typed_;  // long names of the options that were given
  std::string profile_, page_;
  uint64_t threads_ = 0;
  bool overwrite_ = false;
  bool json_ = false;
};

CommandSpec CalibrateCommand::Describe() {
  CommandSpec spec;
  spec.name = "calibrate";
  spec.summary = "Choose a radius and a threshold on a sample of your own texts";
  spec.description =
      "Draws texts of the sample and measures, for each length, how many bits the code of a\n"
      "copy differs when a known share of its characters is replaced, deleted or inserted;\n"
      "and how many pairs of unrelated texts have codes as near, of all pairs of the texts.\n"
      "Recommends the largest radius at which false joins are rare, says which copies it\n"
      "finds, and warns of lengths for which no radius does both. Also recommends the\n"
      "threshold of resemblance for zhiwen dedup, which compares the texts themselves.\n"
      "\n"
      "Shares have intervals at 95 %: a sample that is too small says what it leaves open.\n"
      "The same texts and --seed give the same figures.";
  spec.arguments = ArgumentSpec{"INPUT...", "Files or folders; - for standard input", 1, SIZE_MAX,
                                &options_.inputs.paths};
  spec.options = ChosenSchemeSpecs(
      chosen_, "Scheme of the codes, of 8 or 4 bytes (default simhash64(feature=shingle(3)))");
  spec.options.push_back(
      CountOption("--texts", {2, kMostCalibrationTexts}, options_.texts,
                  fmt::format("Number of texts to draw, at most {} (default 10000)",
                              FormatCount(kMostCalibrationTexts))));
  spec.options.push_back(CountOption("--false-joins", {1, INT64_MAX}, options_.false_joins_one_in,
                                     "Let at most one in N pairs of unrelated texts join (default "
                                     "1000000); for a corpus, 100 times its documents"));
  std::vector<Choice<size_t>> shares;
  for (size_t i = 0; i < kChangedShares.size(); ++i) {
    shares.push_back({fmt::format("{:g}%", 100 * kChangedShares[i]), i});
  }
  spec.options.push_back(ChoiceOption(
      "--changed", "P%", "Find copies with this share of changes: ", options_.changed, shares));
  spec.options.push_back(ParsedOption("--found", "P%",
                                      "Share of these copies that has to be found (default 90%)",
                                      options_.found, ParseFoundShare));
  spec.options.push_back(ParsedOption("--unrelated", "S",
                                      "Texts with a resemblance below S are unrelated (default "
                                      "0.1)",
                                      options_.unrelated, ParseUnrelated));
  spec.options.push_back(CountOption("--seed", {0, INT64_MAX}, options_.seed,
                                     "Seed of the random choices (default 1)"));
  spec.options.push_back(
      OutputOption("FILE", profile_, "Write the recommendation to this file, as TOML"));
  spec.options.push_back(
      Once(TextOption("--html", "FILE", page_, "Write a page with the distributions")));
  spec.options.push_back(
      FlagOption("--overwrite", overwrite_, "Replace these files of an earlier run"));
  std::vector<OptionSpec> of_documents = DocumentInputSpecs(options_.inputs);
  std::move(of_documents.begin(), of_documents.end(), std::back_inserter(spec.options));
  spec.options.push_back(ThreadsOption(threads_));
  spec.options.push_back(JsonOption(json_, "Print JSON with all counts"));
  NoteTyped(spec.options, typed_);
  spec.examples = {
      {"zhiwen calibrate sample.jsonl", "which radius, which threshold"},
      {"zhiwen calibrate sample.jsonl -o profile.toml --html calibration.html",
       "keep the recommendation, and see the distributions"},
      {"zhiwen calibrate news/ --texts 30000 --false-joins 100000000",
       "count 450 million pairs, for a corpus of a million documents"},
      {"zhiwen calibrate news.jsonl --changed 5% --found 80%",
       "ask for more heavily edited copies"},
      {"zhiwen calibrate news.jsonl --unrelated 0.5",
       "count texts of one template that share less than half as false joins"},
  };
  return spec;
}

Status CalibrateCommand::CheckOptions() {
  if (page_ == "-") {
    return Fail(ErrorCode::kInvalidArgument, "--html writes a file; for that name give ./-");
  }
  if (!page_.empty() && page_ == profile_) {
    return Fail(ErrorCode::kInvalidArgument, "--output and --html name one file; give two");
  }
  ZHIWEN_RETURN_IF_ERROR(RefuseIdle(
      {{profile_.empty() && page_.empty(), "--overwrite", "without -o FILE or --html FILE"}},
      typed_));
  if (chosen_.names.empty()) chosen_.names = {"simhash64(feature=shingle(3))"};
  if (chosen_.names.size() == 1) return {};
  return Fail(ErrorCode::kInvalidArgument, "calibrate takes one --scheme");
}

Result<std::unique_ptr<CalibrationOutput>> CalibrateCommand::CreateOutput(const std::string& path,
                                                                          Output::Form form) const {
  if (path.empty()) return std::unique_ptr<Output>();
  return Output::Create(PosixFileSystem(), path, form,
                        overwrite_ ? Output::Existing::kReplace : Output::Existing::kRefuse);
}

Result<int> CalibrateCommand::Run(CommandContext& context) {
  ZHIWEN_RETURN_IF_ERROR(CheckOptions());
  ZHIWEN_ASSIGN_OR_RETURN(std::vector<std::unique_ptr<Scheme>> schemes,
                          CreateSchemes(chosen_, context.language));
  options_.scheme = std::move(schemes.front());
  ZHIWEN_ASSIGN_OR_RETURN(const auto profile, CreateOutput(profile_, Output::Form::kToml));
  ZHIWEN_ASSIGN_OR_RETURN(const auto page, CreateOutput(page_, Output::Form::kPage));
  BatchRun run(context, ThreadsToUse(threads_));
  ZHIWEN_ASSIGN_OR_RETURN(const Calibration calibration, Calibrate(options_, run.environment()));
  run.Clear();
  for (const auto& output : {profile.get(), page.get()}) {
    if (output != nullptr) ZHIWEN_RETURN_IF_ERROR(output->Publish(calibration, context.typed));
  }
  if (json_) {
    ZHIWEN_RETURN_IF_ERROR(
        context.console.Print(CalibrationToJson(calibration, context.typed) + "\n"));
  } else if (!context.console.quiet() || (profile == nullptr && page == nullptr)) {
    ZHIWEN_RETURN_IF_ERROR(context.console.Print(RenderCalibration(calibration)));
  }
  return 0;
}

}  // namespace

std::unique_ptr<Command> MakeCalibrateCommand() { return std::make_unique<CalibrateCommand>(); }

}  // namespace zhiwen
