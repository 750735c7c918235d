#include <algorithm>
#include <iterator>
#include <set>

#include <fmt/format.h>

#include "command_line/idle_options.h"
#include "commands/batch_run.h"
#include "commands/chosen_schemes.h"
#include "commands/commands.h"
#include "commands/document_options.h"
#include "zhiwen/document_clusters.h"
#include "zhiwen/figures.h"

namespace zhiwen {
namespace {

constexpr uint64_t kMostClusterRadius = 63;

class ClusterCommand : public Command {
 public:
  CommandSpec Describe() override;
  Result<int> Run(CommandContext& context) override;

 private:
  Status CheckOptions();
  std::string Summarize(const ClusterSummary& summary) const;

  ClusterDocumentsOptions options_;
  ChosenSchemes chosen_;
  std::set<std::string> typed_;  // long names of the options that were given
  uint64_t radius_ = 3;
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
      "{\"id\",\"cluster\",\"is_new\",\"distance\"}, where cluster is the id of the centre.\n"
      "\n"
      "With -o the lines go to clusters.jsonl in a folder, and at the end there are\n"
      "distset.jsonl, the centres by code, and simset.jsonl, what joined each of them.\n"
      "\n"
      "Codes alone are compared. That is quick, and misses and joins texts wrongly: to remove\n"
      "duplicates, zhiwen dedup compares the texts. Short texts have no code to rely on.";
  spec.arguments = ArgumentSpec{"INPUT...", "Files or folders; - for standard input", 1, SIZE_MAX,
                                &options_.inputs.paths};
  spec.options = ChosenSchemeSpecs(
      chosen_, "Scheme of the codes, of 8 or 4 bytes (default simhash64(feature=shingle(3)))");
  spec.options.push_back(CountOption("-r,--radius", {0, kMostClusterRadius}, radius_,
                                     "Most bits in which a document may differ from its centre "
                                     "(default 3)"));
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
      {"zhiwen cluster news.jsonl -s 'simhash64(hash=murmur3)'", "codes of another scheme"},
  };
  return spec;
}

Status ClusterCommand::CheckOptions() {
  const bool has_folder = !options_.folder.empty();
  ZHIWEN_RETURN_IF_ERROR(RefuseIdle(
      {{!has_folder, "--overwrite", "without -o DIR"}, {has_folder, "--json", "with -o DIR"}},
      typed_));
  if (chosen_.names.empty()) chosen_.names = {"simhash64(feature=shingle(3))"};
  if (chosen_.names.size() == 1) return {};
  return Fail(ErrorCode::kInvalidArgument, "cluster takes one --scheme");
}

std::string ClusterCommand::Summarize(const ClusterSummary& summary) const {
  return fmt::format("{}: {} in {}, the largest of {}{}\n", options_.folder,
                     FormatPlural(summary.documents, "document"),
                     FormatPlural(summary.clusters, "cluster"), FormatCount(summary.largest),
                     summary.without_value == 0
                         ? ""
                         : fmt::format("; {} without a code", FormatCount(summary.without_value)));
}

Result<int> ClusterCommand::Run(CommandContext& context) {
  ZHIWEN_RETURN_IF_ERROR(CheckOptions());
  ZHIWEN_ASSIGN_OR_RETURN(std::vector<std::unique_ptr<Scheme>> schemes,
                          CreateSchemes(chosen_, context.language));
  options_.scheme = std::move(schemes.front());
  options_.radius = static_cast<uint32_t>(radius_);
  BatchRun run(context, ThreadsToUse(threads_));
  if (options_.folder.empty()) {
    options_.visit = [&run](const ClusteredDocument& document) {
      return run.Print(ClusteredDocumentToJson(document) + "\n");
    };
  }
  ZHIWEN_ASSIGN_OR_RETURN(const ClusterSummary summary,
                          ClusterDocuments(options_, run.environment()));
  run.Clear();
  if (options_.folder.empty() || context.console.quiet()) return 0;
  ZHIWEN_RETURN_IF_ERROR(context.console.Print(Summarize(summary)));
  return 0;
}

}  // namespace

std::unique_ptr<Command> MakeClusterCommand() { return std::make_unique<ClusterCommand>(); }

}  // namespace zhiwen
