#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <optional>
#include <set>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "command_line/action_word.h"
#include "command_line/idle_options.h"
#include "command_line/option_values.h"
#include "commands/chosen_schemes.h"
#include "commands/commands.h"
#include "commands/document_batches.h"
#include "views/evaluation_view.h"
#include "zhiwen/evaluation.h"
#include "zhiwen/executor.h"
#include "zhiwen/file_system.h"

namespace zhiwen {
namespace {

constexpr std::string_view kCopyWords[] = {"1",        "copy", "dup", "duplicate",
                                           "positive", "true", "yes"};
constexpr std::string_view kOtherWords[] = {"0",        "different", "distinct", "false",
                                            "negative", "no",        "other"};

constexpr std::string_view kFieldOptions[] = {"--b-field", "--label-field", "--relation-field",
                                              "--corpus-field"};  // by Other

class EvalCommand : public Command {
 public:
  CommandSpec Describe() override;
  Result<int> Run(CommandContext& context) override;

 private:
  enum Other : uint8_t { kB, kLabel, kRelation, kCorpus };

  void CheckPair(SourceDocument& document) const;
  std::optional<PairLabel> LabelOf(std::string_view word) const;
  LabelledPair PairOf(const SourceDocument& document) const;
  Result<Evaluation> Evaluate(CommandContext& context);
  static Status CheckLabels(const Evaluation& evaluation, Console& console);

  ActionWord action_ = {"eval", {"schemes"}};
  DocumentBatchOptions batches_;
  ChosenSchemes chosen_;
  std::string a_ = "a";
  std::array<std::string, 4> others_ = {"b", "label", "relation", "corpus"};  // by Other
  std::vector<std::string> copy_labels_;
  std::set<std::string> typed_;  // long names of the options that were given
  std::string page_;
  uint64_t threads_ = 0;
  std::string measure_;
  EvaluationBy by_ = EvaluationBy::kNothing;
  bool overwrite_ = false;
  bool json_ = false;
};

CommandSpec EvalCommand::Describe() {
  CommandSpec spec;
  spec.name = "eval";
  spec.summary = "Evaluate fingerprint schemes on labelled pairs of texts";
  spec.description =
      "eval schemes measures how well each scheme separates pairs of matching texts from\n"
      "other pairs: precision, recall and F1, at the threshold that the scheme's authors\n"
      "give and at the best one; the area under the precision-recall curve; bytes stored\n"
      "per text; and speed per core. Without --scheme it evaluates all schemes that need no\n"
      "other file.\n"
      "\n"
      "Each record of a JSON Lines, CSV, TSV or Parquet file is a pair. The fields a and b\n"
      "are the texts. The field label says whether they match: true or false, 1 or 0, yes\n"
      "or no, copy or other, duplicate or different, positive or negative. Results are also\n"
      "shown by length and, if the records have them, by the fields relation (how the texts\n"
      "are related) and corpus.";
  spec.arguments = action_.Argument("PAIRS...", "Files or folders of pairs; - for standard input");
  spec.options = ChosenSchemeSpecs(chosen_);
  const auto field = [&](std::string names, std::string& target, std::string help) {
    spec.options.push_back(Once(TextOption(std::move(names), "NAME", target, std::move(help))));
  };
  field("--a-field", a_, "Field with the first text, dotted: a.text (default a)");
  field("--b-field", others_[kB], "Field with the second text (default b)");
  field("--label-field", others_[kLabel], "Field with the label (default label)");
  field("--relation-field", others_[kRelation], "Field with the relation (default relation)");
  field("--corpus-field", others_[kCorpus], "Field with the corpus (default corpus)");
  spec.options.push_back(MeasureOption(measure_));
  spec.options.push_back(ParsedOption("--copy-labels", "A,B",
                                      "Labels that mean a match; all other labels mean no match",
                                      copy_labels_, ParseNames));
  std::vector<OptionSpec> of_documents = DocumentBatchSpecs(batches_);
  batches_.max_failed = {.count = 0, .share = 0.01};
  of_documents.back().help = "Failed records to allow before exit 3 (default 1%)";
  std::move(of_documents.end() - 2, of_documents.end(), std::back_inserter(spec.options));
  spec.options.push_back(
      Once(TextOption("--html", "FILE", page_, "Write a page with curves and histograms")));
  spec.options.push_back(FlagOption("--overwrite", overwrite_, "Replace an existing page"));
  spec.options.push_back(ChoiceOption("--by", "PART",
                                      "Also show each scheme at both thresholds by ", by_,
                                      {{"nothing", EvaluationBy::kNothing},
                                       {"corpus", EvaluationBy::kCorpus},
                                       {"relation", EvaluationBy::kRelation}}));
  spec.options.push_back(ThreadsOption(threads_));
  spec.options.push_back(JsonOption(json_, "Print JSON instead of the tables"));
  spec.examples = {
      {"zhiwen eval schemes pairs.jsonl", "evaluate every scheme on your own pairs"},
      {"zhiwen eval schemes pairs.csv -s minhash -s simhash64 --html page.html",
       "evaluate two schemes and draw their curves"},
      {"zhiwen eval schemes pairs.jsonl --channel pinyin", "compare texts by their pronunciation"},
      {"zhiwen eval schemes pairs.jsonl -s minhash --by relation",
       "show which kinds of change hide copies"},
      {"zhiwen eval schemes pairs.jsonl -s vector --measure scam",
       "use another measure of similarity"},
      {"zhiwen eval schemes pairs.jsonl --copy-labels dup,near", "use your own labels"},
  };
  NoteTyped(spec.options, typed_);
  return spec;
}

std::optional<PairLabel> EvalCommand::LabelOf(std::string_view word) const {
  word.remove_prefix(std::min(word.find_first_not_of(" \t"), word.size()));
  word = word.substr(0, word.find_last_not_of(" \t") + 1);
  if (!copy_labels_.empty()) {
    const bool is_copy = std::ranges::find(copy_labels_, word) != copy_labels_.end();
    return is_copy ? PairLabel::kCopy : PairLabel::kOther;
  }
  std::string lower(word);
  std::ranges::transform(lower, lower.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (std::ranges::find(kCopyWords, lower) != std::end(kCopyWords)) return PairLabel::kCopy;
  if (std::ranges::find(kOtherWords, lower) != std::end(kOtherWords)) return PairLabel::kOther;
  return std::nullopt;
}

// Gives a record that is no pair a fault.
void EvalCommand::CheckPair(SourceDocument& document) const {
  const auto fail = [&](std::string_view fault, std::string detail) {
    document.fault = fault;
    document.fault_detail = std::move(detail);
  };
  const auto fail_missing = [&](std::string_view field, std::string_view option) {
    fail("missing_field",
         fmt::format("no field \"{}\", or nothing in it; name it with {}", field, option));
  };
  if (document.text.empty()) return fail_missing(a_, "--a-field");
  for (const Other other : {kB, kLabel}) {
    if (document.values[other].empty()) return fail_missing(others_[other], kFieldOptions[other]);
  }
  if (!LabelOf(document.values[kLabel])) {
    fail("bad_label", fmt::format("the label \"{}\" is neither of {} nor of {}; say with "
                                  "--copy-labels which mean a copy",
                                  document.values[kLabel], fmt::join(kCopyWords, " "),
                                  fmt::join(kOtherWords, " ")));
  }
}

LabelledPair EvalCommand::PairOf(const SourceDocument& document) const {
  const std::vector<std::string>& values = document.values;
  return {.a = document.text,
          .b = values[kB],
          .label = LabelOf(values[kLabel]).value_or(PairLabel::kOther),
          .relation = values[kRelation],
          .corpus = values[kCorpus]};
}

Result<Evaluation> EvalCommand::Evaluate(CommandContext& context) {
  ZHIWEN_ASSIGN_OR_RETURN(MadeSchemes made, CreateNamedOrAll(chosen_, context.language));
  SchemeEvaluator evaluator(std::move(made.schemes), SystemClock(), measure_);
  const std::unique_ptr<Executor> executor = MakeThreadPool(ThreadsToUse(threads_));
  DocumentBatches batches(batches_, context);
  ZHIWEN_RETURN_IF_ERROR(batches.ForEach([&](std::span<const SourceDocument> batch) {
    std::vector<LabelledPair> pairs;
    pairs.reserve(batch.size());
    for (const SourceDocument& document : batch) pairs.push_back(PairOf(document));
    return evaluator.Add(*executor, pairs, context.cancellation);
  }));
  ZHIWEN_ASSIGN_OR_RETURN(Evaluation evaluation, evaluator.Finish(*executor, context.cancellation));
  evaluation.skipped = std::move(made.skipped);
  return evaluation;
}

// Checks that there are pairs, schemes, and both labels: without them figures mean nothing.
Status EvalCommand::CheckLabels(const Evaluation& evaluation, Console& console) {
  if (evaluation.pairs == 0) return Fail(ErrorCode::kUnreadable, "there are no pairs to evaluate");
  if (evaluation.schemes.empty()) {
    return Fail(ErrorCode::kNotFound,
                "no scheme can be made here; the first: " + evaluation.skipped.front().why);
  }
  const EvaluationRow& all = evaluation.schemes.front().rows.front();
  if (all.copies == 0) {
    console.PrintWarning("no pair is a copy: there is no recall, no F1, no area");
  } else if (all.others == 0) {
    console.PrintWarning("all pairs are copies: precision is 1, and there is no area");
  }
  return {};
}

Result<int> EvalCommand::Run(CommandContext& context) {
  ZHIWEN_RETURN_IF_ERROR(action_.Check());
  if (page_ == "-") {
    return Fail(ErrorCode::kInvalidArgument, "--html writes a file; for that name give ./-");
  }
  if (overwrite_ && page_.empty()) {
    return Fail(ErrorCode::kInvalidArgument, "--overwrite does nothing without --html FILE");
  }
  ZHIWEN_RETURN_IF_ERROR(RefuseIdle({{json_, "--by", "with --json, which has all"}}, typed_));
  batches_.inputs = action_.inputs();
  batches_.otherwise = DocumentFormat::kJsonLines;
  batches_.documents.text_fields = {a_};
  batches_.documents.value_fields.assign(others_.begin(), others_.end());
  for (size_t i = 0; i < others_.size(); ++i) {
    const std::string option(kFieldOptions[i]);
    if (typed_.contains(option)) batches_.named_fields.push_back({others_[i], option});
  }
  batches_.text_option = "--a-field";
  batches_.no_texts = "a text is no pair; give a file of records (--format says which)";
  batches_.stage = "compare";
  batches_.outcome = "pair";
  batches_.check = [this](SourceDocument& document) { CheckPair(document); };
  std::unique_ptr<EvaluationPage> page;
  if (!page_.empty()) {
    ZHIWEN_ASSIGN_OR_RETURN(page,
                            EvaluationPage::Create(PosixFileSystem(), page_,
                                                   overwrite_ ? EvaluationPage::Existing::kReplace
                                                              : EvaluationPage::Existing::kRefuse));
  }
  ZHIWEN_ASSIGN_OR_RETURN(const Evaluation evaluation, Evaluate(context));
  ZHIWEN_RETURN_IF_ERROR(CheckLabels(evaluation, context.console));
  if (page != nullptr) ZHIWEN_RETURN_IF_ERROR(page->Publish(evaluation, context.typed));
  ZHIWEN_RETURN_IF_ERROR(
      context.console.Print(json_ ? EvaluationToJson(evaluation, context.typed) + "\n"
                                  : RenderEvaluation(evaluation, by_, context.console.columns())));
  return 0;
}

}  // namespace

std::unique_ptr<Command> MakeEvalCommand() { return std::make_unique<EvalCommand>(); }

}  // namespace zhiwen
