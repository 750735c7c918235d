#include <iterator>
#include <memory>
#include <set>

#include "command_line/action_word.h"
#include "command_line/idle_options.h"
#include "command_line/option_values.h"
#include "commands/batch_run.h"
#include "commands/chosen_schemes.h"
#include "commands/commands.h"
#include "commands/document_options.h"
#include "views/evaluation_view.h"
#include "zhiwen/evaluation.h"
#include "zhiwen/file_system.h"

namespace zhiwen {
namespace {

class EvalCommand : public Command {
 public:
  CommandSpec Describe() override;
  Result<int> Run(CommandContext& context) override;

 private:
  Result<Evaluation> Evaluate(CommandContext& context);
  static Status CheckLabels(const Evaluation& evaluation, Console& console);

  ActionWord action_ = {"eval", {"schemes"}};
  PairFileOptions pairs_;
  ChosenSchemes chosen_;
  std::set<std::string> typed_;  // long names of the options that were given
  std::string page_;
  uint64_t threads_ = 0;
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
  const auto field = [&](NamedField& target, const std::string& option, std::string help) {
    target.option = option;
    spec.options.push_back(Once(TextOption(option, "NAME", target.name, std::move(help))));
  };
  field(pairs_.fields.a, "--a-field", "Field with the first text, dotted: a.text (default a)");
  field(pairs_.fields.b, "--b-field", "Field with the second text (default b)");
  field(pairs_.fields.label, "--label-field", "Field with the label (default label)");
  field(pairs_.fields.relation, "--relation-field", "Field with the relation (default relation)");
  field(pairs_.fields.corpus, "--corpus-field", "Field with the corpus (default corpus)");
  spec.options.push_back(MeasureOption(pairs_.measure));
  spec.options.push_back(ParsedOption("--copy-labels", "A,B",
                                      "Labels that mean a match; all other labels mean no match",
                                      pairs_.copy_labels, ParseNames));
  std::vector<OptionSpec> of_documents = DocumentInputSpecs(pairs_.inputs);
  pairs_.copy_labels_option = "--copy-labels";
  pairs_.inputs.max_failed = {.count = 0, .share = 0.01};
  of_documents.back().help = "Failed records to allow before exit 3 (default 1%)";
  // --separator, --encoding and --max-failed.
  std::move(of_documents.end() - 3, of_documents.end(), std::back_inserter(spec.options));
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

Result<Evaluation> EvalCommand::Evaluate(CommandContext& context) {
  ZHIWEN_ASSIGN_OR_RETURN(MadeSchemes made, CreateNamedOrAll(chosen_, context.language));
  BatchRun run(context, ThreadsToUse(threads_));
  ZHIWEN_ASSIGN_OR_RETURN(Evaluation evaluation,
                          EvaluatePairFiles(pairs_, std::move(made.schemes), run.environment()));
  evaluation.skipped = std::move(made.skipped);
  return evaluation;
}

// Checks that there are pairs, schemes, and both labels. Without them the figures mean nothing.
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
  pairs_.inputs.paths = action_.inputs();
  pairs_.inputs.otherwise = DocumentFormat::kJsonLines;
  for (const NamedField* field :
       {&pairs_.fields.b, &pairs_.fields.label, &pairs_.fields.relation, &pairs_.fields.corpus}) {
    if (typed_.contains(field->option)) pairs_.inputs.named_fields.push_back(*field);
  }
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
