#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <span>
#include <string>

#include <fmt/format.h>

#include "command_line/idle_options.h"
#include "command_line/option_values.h"
#include "commands/batch_run.h"
#include "commands/chosen_schemes.h"
#include "commands/commands.h"
#include "commands/document_options.h"
#include "zhiwen/document_clusters.h"
#include "zhiwen/figures.h"
#include "zhiwen/page_clusters.h"

namespace zhiwen {
namespace {

constexpr uint64_t kMostClusterRadius = 63;
constexpr std::string_view kUsualScheme = "simhash64(feature=shingle(3))";

enum class ClusterMethod : uint8_t { kSimHash, kBodyTree, kBodyTreeBloom };

class ClusterCommand : public Command {
 public:
  CommandSpec Describe() override;
  Result<int> Run(CommandContext& context) override;

 private:
  void AddRuleOptions(CommandSpec& spec);
  Status CheckOptions();
  Status CheckPageOptions() const;
  Result<int> RunPages(CommandContext& context);
  std::string Summarize(const PageClustersSummary& summary) const;
  void Warn(const ClusterSummary& summary, Console& console) const;
  std::string Summarize(const ClusterSummary& summary) const;

  ClusterDocumentsOptions options_;
  ClusterMethod method_ = ClusterMethod::kSimHash;
  std::string rank_field_;
  ChosenSchemes chosen_;
  std::set<std::string> typed_;  // long names of the options that were given
  uint64_t radius_ = 3;
  std::optional<uint64_t> window_;  // seconds
  std::string date_field_ = "date";
  bool verify_ = false;
  double threshold_ = 0.8;
  uint64_t threads_ = 0;
  bool json_ = false;
};

CommandSpec ClusterCommand::Describe() {
  CommandSpec spec;
  spec.name = "cluster";
  spec.summary = "Cluster a stream of documents in one pass, by their codes";
  spec.description =
      "Reads each document once. A document whose code is within the radius of the code of a\n"
      "centre joins the nearest one (of equally near ones the smallest code); any other one\n"
      "becomes a centre. Prints a line of JSON for each document, in order:\n"
      "{\"id\",\"cluster\",\"is_new\",\"distance\"}, where cluster is the id of the centre. What\n"
      "arrives over time is answered as it comes.\n"
      "\n"
      "With --state the next run goes on where this one ends, whatever ends it: an answer that\n"
      "was printed is on the disk, and a document that comes again with the same id and text\n"
      "gets the same answer. Repeat a run that was cut short from the beginning of its input.\n"
      "The scheme, the radius, the window and the verification of a state stay as they are.\n"
      "\n"
      "With --window a centre is forgotten when a document is more than that later than the\n"
      "last one that joined it. A document without a date counts as being of the date of the\n"
      "one before it. A date in the future makes the stream forget all that was before it.\n"
      "\n"
      "With -o the lines go to clusters.jsonl in a folder, and at the end there are\n"
      "distset.jsonl, the centres by code, and simset.jsonl, what joined each of them.\n"
      "\n"
      "Codes alone are compared. That is quick, and misses and joins texts wrongly. --verify\n"
      "compares the texts, too: a document that is within the radius of centres joins the\n"
      "nearest one that it resembles, or becomes a centre; lines then have a \"resemblance\".\n"
      "To remove duplicates, zhiwen dedup finds more. Short texts have no code to rely on.\n"
      "\n"
      "--method body-tree compares pages by what stands under which heading: the first and the\n"
      "last character of each clause, level by level. Two levels are alike when more than 0.92\n"
      "of their clauses are the same, and a page is a copy when more than 0.90 of the levels\n"
      "are alike. It joins the most similar source page, or becomes one; lines have a\n"
      "\"similarity\" instead of a distance. With -o, sources.jsonl names the source of each\n"
      "cluster: the page with the highest rank (--rank-field), then with the oldest date.\n"
      "body-tree-bloom is the method as its authors wrote it down: Bloom filters of all source\n"
      "pages are compared, and the first copy counts; that takes the square of the pages.";
  spec.arguments = ArgumentSpec{"INPUT...", "Files or folders; - for standard input", 1, SIZE_MAX,
                                &options_.inputs.paths};
  spec.options = ChosenSchemeSpecs(
      chosen_, "Scheme of the codes, of 8 or 4 bytes (default simhash64(feature=shingle(3)))");
  spec.options.push_back(
      ChoiceOption<ClusterMethod>("--method", "METHOD", "How documents are compared: ", method_,
                                  {{"simhash", ClusterMethod::kSimHash},
                                   {"body-tree", ClusterMethod::kBodyTree},
                                   {"body-tree-bloom", ClusterMethod::kBodyTreeBloom}}));
  spec.options.push_back(CountOption("-r,--radius", {0, kMostClusterRadius}, radius_,
                                     "Most bits in which a document may differ from its centre "
                                     "(default 3)"));
  AddRuleOptions(spec);
  spec.options.push_back(OutputOption("DIR", options_.folder, "Write files into this folder"));
  spec.options.push_back(
      FlagOption("--overwrite", options_.overwrite, "Replace these files of an earlier run"));
  std::vector<OptionSpec> of_documents = DocumentInputSpecs(options_.inputs);
  std::ranges::move(of_documents, std::back_inserter(spec.options));
  spec.options.push_back(ThreadsOption(threads_));
  spec.options.push_back(JsonOption(json_, "Print JSON Lines, which is the default"));
  NoteTyped(spec.options, typed_);
  spec.examples = {
      {"zhiwen cluster news.jsonl > clusters.jsonl", "a line for each document"},
      {"zhiwen cluster news.jsonl -o clusters/", "also the centres, and what joined them"},
      {"zstdcat feed.jsonl.zst | zhiwen cluster - --radius 6", "read standard input"},
      {"tail -n +1 -F feed.jsonl | zhiwen cluster - --state st/ --window 7d",
       "follow a feed, and go on after any interruption"},
      {"zhiwen cluster news.jsonl --verify -o clusters/", "join only texts that are alike"},
      {"zhiwen cluster news.jsonl -s 'simhash64(weight=distinct)'", "codes of another scheme"},
      {"zhiwen cluster pages/ crawl.warc.gz --method body-tree -o clusters/",
       "pages by their body trees"},
  };
  return spec;
}

void ClusterCommand::AddRuleOptions(CommandSpec& spec) {
  spec.options.push_back(TextOption("--state", "DIR", options_.state,
                                    "Keep the stream in this folder, and go on with it"));
  spec.options.push_back(ParsedOption("--window", "AGE",
                                      "Forget a centre that nothing joined for so long: 7d (s, m, "
                                      "h, d)",
                                      window_, ParseAge));
  spec.options.push_back(
      TextOption("--date-field", "FIELD", date_field_,
                 "With --window or body trees: field of the date (default date)"));
  spec.options.push_back(TextOption("--rank-field", "FIELD", rank_field_,
                                    "With body trees: field of the rank, such as PageRank"));
  spec.options.push_back(
      FlagOption("--verify", verify_, "Join only a centre whose text the document resembles"));
  spec.options.push_back(ParsedOption("--threshold", "R",
                                      "With --verify: least resemblance with the centre, above 0 "
                                      "(default 0.8)",
                                      threshold_, ParseDecimal));
}

Status ClusterCommand::CheckOptions() {
  const bool has_folder = !options_.folder.empty();
  ZHIWEN_RETURN_IF_ERROR(RefuseIdle(
      {{!has_folder, "--overwrite", "without -o DIR"},
       {has_folder, "--json", "with -o DIR"},
       {!window_ && method_ == ClusterMethod::kSimHash, "--date-field", "without --window AGE"},
       {method_ == ClusterMethod::kSimHash, "--rank-field", "without --method body-tree"},
       {!verify_, "--threshold", "without --verify"}},
      typed_));
  if (method_ != ClusterMethod::kSimHash) return CheckPageOptions();
  if (threshold_ <= 0 || threshold_ > 1) {
    return Fail(ErrorCode::kInvalidArgument, "--threshold has to be above 0 and at most 1");
  }
  if (verify_) options_.least_resemblance = threshold_;
  if (window_) {
    options_.window = {.seconds = *window_, .field = date_field_};
    options_.inputs.documents.value_fields = {date_field_};
    if (typed_.contains("--date-field")) {
      options_.inputs.named_fields = {{.name = date_field_, .option = "--date-field"}};
    }
  }
  if (chosen_.names.empty()) chosen_.names = {std::string(kUsualScheme)};
  if (chosen_.names.size() == 1) return {};
  return Fail(ErrorCode::kInvalidArgument, "cluster takes one --scheme");
}

// Checks the options for body trees, which have a rule and a scheme of their own.
Status ClusterCommand::CheckPageOptions() const {
  constexpr std::string_view kWhy = "with body trees, which have no codes";
  ZHIWEN_RETURN_IF_ERROR(RefuseIdle({{true, "--radius", kWhy},
                                     {true, "--state", "with body trees, whose streams end"},
                                     {true, "--window", "with body trees, whose streams end"},
                                     {true, "--verify", kWhy}},
                                    typed_));
  const bool is_other = std::ranges::any_of(
      chosen_.names, [](const std::string& name) { return !name.starts_with("tagstr"); });
  if (!is_other && chosen_.names.size() <= 1) return {};
  return Fail(ErrorCode::kInvalidArgument,
              "body trees are compared by the scheme tagstr; leave --scheme out");
}

std::string ClusterCommand::Summarize(const PageClustersSummary& summary) const {
  std::string line =
      fmt::format("{}: {} in {}, the largest of {}", options_.folder,
                  FormatPlural(summary.documents, "document"),
                  FormatPlural(summary.clusters, "cluster"), FormatCount(summary.largest));
  if (summary.without_value > 0) {
    line += fmt::format("; {} without a clause", FormatCount(summary.without_value));
  }
  return line + "\n";
}

Result<int> ClusterCommand::RunPages(CommandContext& context) {
  if (chosen_.names.empty()) chosen_.names = {"tagstr"};
  ZHIWEN_ASSIGN_OR_RETURN(std::vector<std::unique_ptr<Scheme>> schemes,
                          CreateSchemes(chosen_, context.language));
  PageClustersOptions options = {
      .inputs = std::move(options_.inputs),
      .scheme = std::move(schemes.front()),
      .method = method_ == ClusterMethod::kBodyTree ? PageMethod::kIndexed : PageMethod::kFiltered,
      .rank_field = rank_field_,
      .date_field = date_field_,
      .folder = options_.folder,
      .overwrite = options_.overwrite};
  if (typed_.contains("--date-field")) {
    options.inputs.named_fields.push_back({.name = date_field_, .option = "--date-field"});
  }
  if (!rank_field_.empty()) {
    options.inputs.named_fields.push_back({.name = rank_field_, .option = "--rank-field"});
  }
  BatchRun run(context, ThreadsToUse(threads_));
  if (options.folder.empty()) {
    options.visit = [&run](std::span<const ClusteredPage> pages) {
      std::string lines;
      for (const ClusteredPage& page : pages) lines += ClusteredPageToJson(page) + "\n";
      return run.Print(lines);
    };
  }
  ZHIWEN_ASSIGN_OR_RETURN(const PageClustersSummary summary,
                          ClusterPages(options, run.environment()));
  run.Clear();
  if (options.folder.empty() || context.console.quiet()) return 0;
  ZHIWEN_RETURN_IF_ERROR(context.console.Print(Summarize(summary)));
  return 0;
}

std::string ClusterCommand::Summarize(const ClusterSummary& summary) const {
  std::string line =
      fmt::format("{}: {} in {}, the largest of {}", options_.folder,
                  FormatPlural(summary.documents, "document"),
                  FormatPlural(summary.clusters, "cluster"), FormatCount(summary.largest));
  const auto add = [&](uint64_t count, std::string_view what) {
    if (count > 0) line += fmt::format("; {} {}", FormatCount(count), what);
  };
  add(summary.known, "known before");
  add(summary.without_value, "without a code");
  add(summary.forgotten, "forgotten");
  return line + "\n";
}

void ClusterCommand::Warn(const ClusterSummary& summary, Console& console) const {
  if (summary.without_date > 0) {
    console.PrintWarning(
        fmt::format("{} of {} have no date in \"{}\", and count as being of the "
                    "date before",
                    FormatCount(summary.without_date), FormatPlural(summary.documents, "document"),
                    date_field_));
  }
  if (summary.refused > 0) {
    console.PrintWarning(fmt::format(
        "{} would have joined the nearest centre by their codes alone, and do not resemble it",
        FormatPlural(summary.refused, "document")));
  }
}

Result<int> ClusterCommand::Run(CommandContext& context) {
  ZHIWEN_RETURN_IF_ERROR(CheckOptions());
  if (method_ != ClusterMethod::kSimHash) return RunPages(context);
  ZHIWEN_ASSIGN_OR_RETURN(std::vector<std::unique_ptr<Scheme>> schemes,
                          CreateSchemes(chosen_, context.language));
  options_.scheme = std::move(schemes.front());
  options_.radius = static_cast<uint32_t>(radius_);
  BatchRun run(context, ThreadsToUse(threads_));
  if (options_.folder.empty()) {
    options_.visit = [&run](std::span<const ClusteredDocument> documents) {
      std::string lines;
      for (const ClusteredDocument& document : documents) {
        lines += ClusteredDocumentToJson(document);
        lines += '\n';
      }
      return run.Print(lines);
    };
  }
  ZHIWEN_ASSIGN_OR_RETURN(const ClusterSummary summary,
                          ClusterDocuments(options_, run.environment()));
  run.Clear();
  ZHIWEN_RETURN_IF_ERROR(context.console.Flush());  // answers stand before what is said of all
  Warn(summary, context.console);
  if (options_.folder.empty() || context.console.quiet()) return 0;
  ZHIWEN_RETURN_IF_ERROR(context.console.Print(Summarize(summary)));
  return 0;
}

}  // namespace

std::unique_ptr<Command> MakeClusterCommand() { return std::make_unique<ClusterCommand>(); }

}  // namespace zhiwen
