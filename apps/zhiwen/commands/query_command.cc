#include <algorithm>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "command_line/idle_options.h"
#include "command_line/option_values.h"
#include "commands/batch_run.h"
#include "commands/chosen_text.h"
#include "commands/commands.h"
#include "commands/library_actions.h"
#include "terminal/table.h"
#include "zhiwen/display.h"
#include "zhiwen/figures.h"
#include "zhiwen/library.h"
#include "zhiwen/phoneme_snapshot.h"

namespace zhiwen {
namespace {

constexpr uint64_t kMostQueryBytes = uint64_t{1} << 28;
constexpr uint64_t kMostListed = 10000;

class QueryCommand : public Command {
 public:
  CommandSpec Describe() override;
  Result<int> Run(CommandContext& context) override;

 private:
  Status CheckOptions();
  Result<std::string> ReadQuery(const Library& library, CommandContext& context);
  Result<SimilarDocuments> CompareWithAll(const Library& library, std::string_view text,
                                          CommandContext& context);

  std::vector<std::string> words_;  // the library
  std::string like_, id_;
  ChosenFields fields_;
  std::set<std::string> typed_;  // long names of the options that were given
  SimilarityOptions options_;
  uint64_t count_ = options_.count;
  std::string prefilter_;  // path of a snapshot of phonemes
  uint64_t model_ = 2, threads_ = 0;
  bool every_ = false;
  bool json_ = false;
};

CommandSpec QueryCommand::Describe() {
  CommandSpec spec;
  spec.name = "query";
  spec.summary = "List the documents of a library that resemble a text the most";
  spec.description =
      "Ranks documents of a library (zhiwen library) by their resemblance with a text, or with\n"
      "one of them. The resemblance is the share of 5-shingles that both texts have; each\n"
      "listed document was compared with the text. Documents that share no run of some 15\n"
      "characters with the text may be missing from the list. With --every the text is compared\n"
      "with each document, which misses nothing and reads the whole library.\n"
      "\n"
      "A prefilter excludes documents that do not sound like the text before they are compared,\n"
      "by thresholds that zhiwen phonemes train has put into a file. What is printed says how\n"
      "many it excluded, what comparing them would have taken, and, from one in a hundred of\n"
      "them, how many it lost that reach --least (default then: the threshold of the library).\n"
      "\n"
      "To learn which passages two texts share, use zhiwen check or zhiwen compare.";
  spec.arguments = ArgumentSpec{"LIBRARY", "The folder of a library", 1, 1, &words_};
  spec.options = {
      TextOption("--like", "FILE", like_, fmt::format("Text that they resemble: {}", kNamedTexts)),
      TextOption("--id", "ID", id_, "Document of the library that the others resemble"),
      CountOption("--count", {1, kMostListed}, count_, "Documents to list at most (default 20)"),
      ParsedOption("--least", "R", "Least resemblance of a listed document (default 0)",
                   options_.least_resemblance, ParseDecimal),
      FlagOption("--every", every_, "Compare the text with every document"),
      TextOption("--prefilter", "FILE", prefilter_,
                 "With --every: exclude what does not sound alike, by the thresholds of this file"),
      CountOption("--model", {1, 2}, model_,
                  "With --prefilter: 1, three thresholds; 2, one for their weighted sum (default "
                  "2)"),
      ThreadsOption(threads_)};
  for (OptionSpec& option : ChosenFieldSpecs(fields_)) spec.options.push_back(std::move(option));
  spec.options.push_back(JsonOption(json_, "Print one line of JSON"));
  NoteTyped(spec.options, typed_);
  spec.examples = {
      {"zhiwen query lib/ --like page.txt", "which documents resemble this page?"},
      {"zhiwen query lib/ --id n17 --count 5", "the five that resemble a document of the library"},
      {"zhiwen query lib/ --like page.txt --every", "compare the page with every document"},
      {"zhiwen query lib/ --like page.txt --every --prefilter p.zwp",
       "exclude documents that sound otherwise"},
      {"zhiwen query lib/ --like feed.jsonl:17 --least 0.5 --json", "a record, as JSON"},
  };
  return spec;
}

Status QueryCommand::CheckOptions() {
  if (typed_.contains("--like") == typed_.contains("--id")) {
    return Fail(ErrorCode::kInvalidArgument,
                "query needs one text: --like FILE, or --id ID for a document of the library");
  }
  if (options_.least_resemblance > 1) {
    return Fail(ErrorCode::kInvalidArgument, "--least is a resemblance from 0 to 1, such as 0.3");
  }
  ZHIWEN_RETURN_IF_ERROR(RefuseIdle({{!every_, "--prefilter", "without --every"},
                                     {!every_, "--threads", "without --every"},
                                     {prefilter_.empty(), "--model", "without --prefilter"}},
                                    typed_));
  options_.count = count_;
  options_.most_compared = std::max<size_t>(options_.most_compared, 2 * count_);
  if (!id_.empty()) {
    return RefuseIdle({{true, "--text-field", "with --id"},
                       {true, "--id-field", "with --id"},
                       {true, "--format", "with --id"},
                       {true, "--separator", "with --id"},
                       {true, "--encoding", "with --id"}},
                      typed_);
  }
  return RefuseIdleFields(std::span(&like_, 1), fields_);
}

// Returns the text of the query. A document of the library is then no answer.
Result<std::string> QueryCommand::ReadQuery(const Library& library, CommandContext& context) {
  if (id_.empty()) {
    ZHIWEN_ASSIGN_OR_RETURN(std::string text,
                            ReadChosenText(like_, fields_, kMostQueryBytes, context.cancellation));
    if (const std::string warning = WarningOfRecords(like_, text, fields_); !warning.empty()) {
      context.console.PrintWarning(warning);
    }
    return text;
  }
  ZHIWEN_ASSIGN_OR_RETURN(const std::vector<StoredDocument> versions,
                          FindStored(library, words_.front(), id_));
  options_.except = versions.front().number;
  return library.ReadText(versions.front());
}

Result<SimilarDocuments> QueryCommand::CompareWithAll(const Library& library, std::string_view text,
                                                      CommandContext& context) {
  std::optional<PhonemePrefilter> prefilter;
  if (!prefilter_.empty()) {
    ZHIWEN_ASSIGN_OR_RETURN(const auto snapshot,
                            PhonemeSnapshot::Open(PosixFileSystem(), prefilter_));
    ZHIWEN_ASSIGN_OR_RETURN(const Channel channel,
                            context.language.OpenChannel(snapshot->channel_name()));
    prefilter = {.channel = channel, .model = snapshot->model(), .has_one_threshold = model_ == 2};
  }
  BatchRun run(context, ThreadsToUse(threads_));
  auto similar =
      library.CompareWithAll(text, options_, prefilter ? &*prefilter : nullptr, run.environment());
  run.Clear();
  return similar;
}

std::string FormatPrefilter(const PrefilterReport& report) {
  return fmt::format(
      "prefilter: {} of {} excluded in {:.2f} s, which saved {:.2f} s of comparing; of {} compared "
      "all the same, {} lost\n",
      FormatCount(report.excluded), FormatPlural(report.texts, "text"), report.seconds,
      report.excluded_seconds, FormatCount(report.sampled), FormatCount(report.lost));
}

std::string FormatSimilar(const SimilarDocuments& similar, size_t columns) {
  std::string out;
  if (!similar.documents.empty()) {
    std::vector<std::vector<std::string>> rows = {{"", "resemblance", "id", "date", "title"}};
    for (const SimilarDocumentOfText& one : similar.documents) {
      const DocumentLabels& labels = one.document.labels;
      rows.push_back({std::to_string(rows.size()), FormatSimilarity(one.resemblance),
                      MakePrintable(one.document.id), MakePrintable(labels.date),
                      MakePrintable(labels.title)});
    }
    out += FormatTable(rows, columns);
  } else {
    out += "no document resembles the text\n";
  }
  if (similar.prefilter) out += FormatPrefilter(*similar.prefilter);
  if (similar.truncated) out += "a bound was met: there may be others that resemble it as much\n";
  return out +
         fmt::format("范围 searched {} · folded\n", FormatPlural(similar.searched, "document"));
}

Result<int> QueryCommand::Run(CommandContext& context) {
  ZHIWEN_RETURN_IF_ERROR(CheckOptions());
  ZHIWEN_ASSIGN_OR_RETURN(const auto library, Library::Open(PosixFileSystem(), words_.front()));
  ZHIWEN_ASSIGN_OR_RETURN(const std::string text, ReadQuery(*library, context));
  ZHIWEN_ASSIGN_OR_RETURN(
      const SimilarDocuments similar,
      every_ ? CompareWithAll(*library, text, context) : library->FindSimilar(text, options_));
  const std::string& name = id_.empty() ? like_ : id_;
  if (json_) {
    ZHIWEN_RETURN_IF_ERROR(
        context.console.Print(SimilarDocumentsToJson(similar, name, words_.front()) + "\n"));
  } else if (!context.console.quiet()) {
    ZHIWEN_RETURN_IF_ERROR(
        context.console.Print(FormatSimilar(similar, context.console.columns())));
  }
  return 0;
}

}  // namespace

std::unique_ptr<Command> MakeQueryCommand() { return std::make_unique<QueryCommand>(); }

}  // namespace zhiwen
