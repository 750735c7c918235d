#include <algorithm>
#include <iterator>
#include <set>

#include <fmt/format.h>

#include "command_line/idle_options.h"
#include "commands/batch_run.h"
#include "commands/chosen_schemes.h"
#include "commands/commands.h"
#include "commands/document_options.h"
#include "commands/metadata_fields.h"
#include "zhiwen/document_results.h"
#include "zhiwen/figures.h"

namespace zhiwen {
namespace {

class FingerprintCommand : public Command {
 public:
  CommandSpec Describe() override;
  Result<int> Run(CommandContext& context) override;

 private:
  Status CheckOptions();
  void Warn(const FingerprintedDocuments& done, Console& console) const;

  FingerprintDocumentsOptions options_;
  ChosenSchemes chosen_;
  MetadataFields metadata_;
  std::set<std::string> typed_;  // long names of the options that were given
  uint64_t threads_ = 0;
  bool text_ = false;
  bool json_ = false;
};

CommandSpec FingerprintCommand::Describe() {
  CommandSpec spec;
  spec.name = "fingerprint";
  spec.summary = "Compute fingerprints of documents, one JSON line each";
  spec.description =
      "Prints {\"id\",\"scheme\",\"value\"}: hex for a value of fixed size, an array of hex for a\n"
      "set, null for a text too short to have a feature. With -o FILE they go there, to\n"
      "Parquet with a column for each kind of value.\n"
      "\n"
      "JSON Lines, JSON arrays, CSV, TSV and Parquet hold a document a record (see zhiwen\n"
      "formats), gzip and zstd are read as they are; any other file is one document. Of a\n"
      "folder its files of records are read, or its *.txt where there are none. The scheme\n"
      "metadata reads fields of records beside the text (--metadata).";
  spec.arguments = ArgumentSpec{"INPUT...", "Files or folders; - for standard input", 1, SIZE_MAX,
                                &options_.inputs.paths};
  spec.options = ChosenSchemeSpecs(chosen_);
  std::vector<OptionSpec> of_documents = DocumentInputSpecs(options_.inputs);
  std::ranges::move(of_documents, std::back_inserter(spec.options));
  spec.options.push_back(metadata_.Option());
  spec.options.push_back(OutputOption(
      "FILE", options_.output.path,
      "File to write instead of printing: *.parquet, *.jsonl, *.jsonl.gz or *.jsonl.zst"));
  spec.options.push_back(FlagOption("--overwrite", options_.output.overwrite,
                                    "Replace a file of fingerprints that is there"));
  spec.options.push_back(FlagOption("--text", text_, "The same as --format text"));
  spec.options.push_back(ThreadsOption(threads_));
  spec.options.push_back(JsonOption(json_, "Print JSON, which is the output in any case"));
  NoteTyped(spec.options, typed_);
  spec.examples = {
      {"zhiwen fingerprint --scheme minhash docs.jsonl > codes.jsonl", "with all defaults"},
      {"zhiwen fingerprint -s 'minhash(permutations=256)' -s exact docs.jsonl",
       "two schemes, two lines a document"},
      {"zhiwen fingerprint -s simhash64 docs.jsonl -o codes.parquet",
       "a table for DuckDB, pandas, Spark"},
      {"cat docs.jsonl | zhiwen fingerprint -s minhash -", "from standard input"},
      {"zhiwen fingerprint -s metadata --metadata title=headline,author=byline news.jsonl",
       "of title, author and text"},
      {"zhiwen schemes", "which schemes there are"},
  };
  return spec;
}

Status FingerprintCommand::CheckOptions() {
  std::optional<DocumentFormat>& format = options_.inputs.format;
  if (text_ && format && *format != DocumentFormat::kText) {
    return Fail(ErrorCode::kInvalidArgument,
                "--text says that the inputs are texts, and --format another format; give one");
  }
  if (text_) format = DocumentFormat::kText;
  const bool has_file = !options_.output.path.empty();
  ZHIWEN_RETURN_IF_ERROR(RefuseIdle({{!has_file, "--overwrite", "without -o FILE"},
                                     {has_file, "--json", "with -o FILE, whose name says it"}},
                                    typed_));
  if (!chosen_.names.empty()) return {};
  return Fail(ErrorCode::kInvalidArgument, "fingerprint needs --scheme NAME (see zhiwen schemes)");
}

void FingerprintCommand::Warn(const FingerprintedDocuments& done, Console& console) const {
  const std::vector<uint64_t>& values = done.found.values;
  const bool none_found = std::ranges::count(values, 0) == std::ssize(values);
  if (!values.empty() && done.found.documents > 0 && none_found) {
    console.PrintWarning(
        fmt::format("no record has one of the fields {}: the values are those of the texts alone; "
                    "name the fields with --metadata",
                    metadata_.Names()));
  }
  if (const uint64_t count = done.without_value; count > 0) {
    console.PrintWarning(
        fmt::format("{} null: too few features, symbols or words (zhiwen inspect shows them)",
                    count == 1 ? "1 value is" : FormatCount(count) + " values are"));
  }
}

Result<int> FingerprintCommand::Run(CommandContext& context) {
  ZHIWEN_RETURN_IF_ERROR(CheckOptions());
  ZHIWEN_ASSIGN_OR_RETURN(options_.schemes, CreateSchemes(chosen_, context.language));
  const bool uses_fields = std::ranges::any_of(
      options_.schemes, [](const auto& scheme) { return scheme->uses_fields(); });
  ZHIWEN_RETURN_IF_ERROR(RefuseIdle(
      {{!uses_fields, "--metadata", "without a scheme that is made of fields (metadata)"}},
      typed_));
  if (uses_fields) metadata_.AddTo(options_);
  BatchRun run(context, ThreadsToUse(threads_));
  options_.lines = [&run](std::string_view lines) { return run.Print(lines); };
  ZHIWEN_ASSIGN_OR_RETURN(const FingerprintedDocuments done,
                          FingerprintDocuments(options_, run.environment()));
  run.Clear();
  Warn(done, context.console);
  if (done.file == nullptr) return 0;
  ZHIWEN_RETURN_IF_ERROR(done.file->Publish());
  if (context.console.quiet()) return 0;
  ZHIWEN_RETURN_IF_ERROR(context.console.Print(
      fmt::format("{}: {}, {}\n", options_.output.path, FormatPlural(done.documents, "document"),
                  FormatPlural(done.documents * options_.schemes.size(), "value"))));
  return 0;
}

}  // namespace

std::unique_ptr<Command> MakeFingerprintCommand() { return std::make_unique<FingerprintCommand>(); }

}  // namespace zhiwen
