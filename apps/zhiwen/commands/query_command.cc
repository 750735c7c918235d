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
#include "views/check_view.h"
#include "zhiwen/code_index.h"
#include "zhiwen/display.h"
#include "zhiwen/figures.h"
#include "zhiwen/library.h"
#include "zhiwen/phoneme_snapshot.h"

namespace zhiwen {
namespace {

constexpr uint64_t kMostQueryBytes = uint64_t{1} << 28;
constexpr uint64_t kMostListed = 10000;
constexpr uint64_t kMostGranuleRadius = 180;  // of ten digits
constexpr uint64_t kMostGranules = 1000;

class QueryCommand : public Command {
 public:
  CommandSpec Describe() override;
  Result<int> Run(CommandContext& context) override;

 private:
  Status CheckOptions();
  Result<std::string> ReadQuery(const Library& library, CommandContext& context);
  Result<SimilarDocuments> CompareWithAll(const Library& library, std::string_view text,
                                          CommandContext& context);

  Result<int> ListEqual(const Library& library, std::string_view text, CommandContext& context);

  std::vector<std::string> words_;  // the library, and perhaps a file
  std::string like_, id_;
  SchemeQuery by_scheme_;
  uint64_t radius_ = 0, granules_ = by_scheme_.least_granules;
  bool exists_ = false;
  bool exit_code_ = false;
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
  spec.summary = "List the documents of a library that resemble a text, or have its fingerprint";
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
      "With --scheme it lists the documents whose fingerprint by a scheme equals that of the\n"
      "text, or differs from it in at most --radius bits. zhiwen library derive makes a library\n"
      "find documents by a scheme.\n"
      "\n"
      "A scheme of granules (initials_dna) finds documents that share passages with the text,\n"
      "also in other characters that sound alike: some granules in a row (--granules), each\n"
      "within --radius of the closest stretch of the text. Granules of 50 characters overlap by\n"
      "half: three are 100 characters. With --json each granule has the codes of both texts.\n"
      "\n"
      "To learn which passages two texts share, use zhiwen check or zhiwen compare.";
  spec.arguments = ArgumentSpec{
      "LIBRARY [FILE]", "The folder of a library, and a text, as --like names it", 1, 2, &words_};
  spec.options = {
      TextOption("--like", "FILE", like_, fmt::format("Text that they resemble: {}", kNamedTexts)),
      TextOption("--id", "ID", id_, "Document of the library that the others resemble"),
      TextOption("-s,--scheme", "NAME", by_scheme_.scheme,
                 "Scheme whose values are compared, by its short or full name"),
      CountOption("--radius", {0, kMostGranuleRadius}, radius_,
                  fmt::format("With --scheme: bits in which values may differ (default 0: equal "
                              "values); of granules, L1 distance of their digits (default {})",
                              kGranuleRadius)),
      CountOption("--granules", {1, kMostGranules}, granules_,
                  fmt::format("With a scheme of granules: granules of a passage, where texts are "
                              "long enough (default {})",
                              kLeastGranules)),
      FlagOption("--exists", exists_, "With --scheme: only print 1 if there is one, and 0 if not"),
      FlagOption("--exit-code", exit_code_, "Exit with 1 if a document is listed"),
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
      {"zhiwen query lib/ --scheme keywords page.txt", "documents with the same keywords"},
      {"zhiwen query lib/ --scheme keywords page.txt --exists", "is there one? prints 0 or 1"},
      {"zhiwen query lib/ --scheme simhash64 page.txt --radius 3", "SimHash values within 3 bits"},
      {"zhiwen query lib/ --scheme initials_dna page.txt", "passages that sound alike"},
  };
  return spec;
}

Status QueryCommand::CheckOptions() {
  if (words_.size() + typed_.count("--like") + typed_.count("--id") != 2) {
    return Fail(ErrorCode::kInvalidArgument,
                "query needs one text: --like FILE, or --id ID for a document of the library");
  }
  if (words_.size() == 2) like_ = words_.back();
  const bool has_scheme = !by_scheme_.scheme.empty();
  ZHIWEN_RETURN_IF_ERROR(RefuseIdle({{!has_scheme, "--radius", "without --scheme"},
                                     {!has_scheme, "--granules", "without --scheme"},
                                     {!has_scheme, "--exists", "without --scheme"},
                                     {has_scheme, "--least", "with --scheme"},
                                     {has_scheme, "--every", "with --scheme"},
                                     {exists_, "--count", "with --exists"},
                                     {exists_ && json_, "--json", "with --exists"}},
                                    typed_));
  if (options_.least_resemblance > 1) {
    return Fail(ErrorCode::kInvalidArgument, "--least is a resemblance from 0 to 1, such as 0.3");
  }
  ZHIWEN_RETURN_IF_ERROR(RefuseIdle({{!every_, "--prefilter", "without --every"},
                                     {!every_, "--threads", "without --every"},
                                     {prefilter_.empty(), "--model", "without --prefilter"}},
                                    typed_));
  options_.count = count_;
  by_scheme_.count = exists_ ? 1 : count_;
  if (typed_.contains("--radius")) by_scheme_.radius = static_cast<uint32_t>(radius_);
  by_scheme_.least_granules = granules_;
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
  options_.except = by_scheme_.except = versions.front().number;
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

// Says of each document how much of it matches, and where its longest passage is.
std::string FormatGranules(const SchemeMatches& matches, size_t columns) {
  std::vector<std::vector<std::string>> rows = {
      {"similarity", "granules", "suspect", "original", "id", "title"}};
  const auto range = [](const Span<CodePointOffset>& place) {
    return fmt::format("{}-{}", FormatCount(place.begin.value), FormatCount(place.end.value));
  };
  for (const SchemeMatch& match : matches.documents) {
    const MatchedPassage& longest = *std::ranges::max_element(
        match.passages, {}, [](const MatchedPassage& passage) { return passage.granules.size(); });
    rows.push_back(
        {FormatSimilarity(match.similarity),
         fmt::format("{} of {}", FormatCount(match.granules_matched), FormatCount(match.granules)),
         range(longest.text), range(longest.document), MakePrintable(match.document.id),
         MakePrintable(match.document.labels.title)});
  }
  return FormatTable(rows, columns);
}

std::string FormatMatches(const SchemeMatches& matches, const SchemeQuery& query, size_t columns) {
  std::string out;
  if (!matches.documents.empty() && matches.has_granules) {
    out += FormatGranules(matches, columns);
  } else if (!matches.documents.empty()) {
    std::vector<std::vector<std::string>> rows = {{"distance", "id", "date", "title"}};
    for (const SchemeMatch& match : matches.documents) {
      const DocumentLabels& labels = match.document.labels;
      rows.push_back({std::to_string(match.distance), MakePrintable(match.document.id),
                      MakePrintable(labels.date), MakePrintable(labels.title)});
    }
    out += FormatTable(rows, columns);
  } else if (HasValue(matches.value)) {
    out += matches.has_granules ? "no document shares a passage with the text\n"
                                : "no document has the value of the text\n";
  } else {
    out += "the text has no value: too few features, symbols or words\n";
  }
  if (matches.truncated && matches.documents.size() == query.count) {
    out += "there are more (--count)\n";
  } else if (matches.truncated) {
    out += "there may be more: so many documents share granules that some were not compared\n";
  }
  if (matches.common_keys > 0) {
    out += fmt::format("{} of the text in too many documents to be looked up\n",
                       FormatPlural(matches.common_keys, "key"));
  }
  return out + fmt::format("范围 searched {} · {}\n", FormatPlural(matches.searched, "document"),
                           query.scheme);
}

Result<int> QueryCommand::ListEqual(const Library& library, std::string_view text,
                                    CommandContext& context) {
  by_scheme_.cancellation = &context.cancellation;
  ZHIWEN_ASSIGN_OR_RETURN(const SchemeMatches matches, library.FindByScheme(text, by_scheme_));
  ZHIWEN_RETURN_IF_ERROR(RefuseIdle(
      {{!matches.has_granules, "--granules", "with a scheme that has no granules"}}, typed_));
  const bool found = !matches.documents.empty();
  if (matches.lacking > 0) {
    const std::string lacking = fmt::format(
        "the values of {} lack the last {} of \"{}\": zhiwen library derive {} goes on where it "
        "was stopped",
        by_scheme_.scheme, FormatPlural(matches.lacking, "change"), words_.front(), words_.front());
    if (exists_ && !found) return Fail(ErrorCode::kConflict, lacking);
    context.console.PrintWarning(lacking);
  }
  if (exists_) {
    ZHIWEN_RETURN_IF_ERROR(context.console.Print(found ? "1\n" : "0\n"));
  } else if (json_) {
    ZHIWEN_RETURN_IF_ERROR(context.console.Print(
        SchemeMatchesToJson(matches, id_.empty() ? like_ : id_, words_.front()) + "\n"));
  } else if (!context.console.quiet()) {
    ZHIWEN_RETURN_IF_ERROR(
        context.console.Print(FormatMatches(matches, by_scheme_, context.console.columns())));
  }
  return exit_code_ && found ? 1 : 0;
}

Result<int> QueryCommand::Run(CommandContext& context) {
  ZHIWEN_RETURN_IF_ERROR(CheckOptions());
  ZHIWEN_ASSIGN_OR_RETURN(const auto library,
                          Library::Open(PosixFileSystem(), words_.front(),
                                        [&context] { return context.language.Open(); }));
  ZHIWEN_ASSIGN_OR_RETURN(const std::string text, ReadQuery(*library, context));
  if (!by_scheme_.scheme.empty()) return ListEqual(*library, text, context);
  ZHIWEN_ASSIGN_OR_RETURN(
      const SimilarDocuments similar,
      every_ ? CompareWithAll(*library, text, context) : library->FindSimilar(text, options_));
  if (similar.lacking > 0) {
    context.console.PrintWarning(SayLacking(similar.lacking, words_.front()));
  }
  const std::string& name = id_.empty() ? like_ : id_;
  if (json_) {
    ZHIWEN_RETURN_IF_ERROR(
        context.console.Print(SimilarDocumentsToJson(similar, name, words_.front()) + "\n"));
  } else if (!context.console.quiet()) {
    ZHIWEN_RETURN_IF_ERROR(
        context.console.Print(FormatSimilar(similar, context.console.columns())));
  }
  return exit_code_ && !similar.documents.empty() ? 1 : 0;
}

}  // namespace

std::unique_ptr<Command> MakeQueryCommand() { return std::make_unique<QueryCommand>(); }

}  // namespace zhiwen
