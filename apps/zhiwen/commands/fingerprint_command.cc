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
#include "zhiwen/picture.h"

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
  bool prints_values_ = false;
  bool json_ = false;
};

CommandSpec FingerprintCommand::Describe() {
  CommandSpec spec;
  spec.name = "fingerprint";
  spec.summary = "Compute fingerprints of documents, one line of JSON each";
  spec.description =
      "Prints {\"id\",\"scheme\",\"value\"} for each document and scheme. The value is a hex\n"
      "string if its size is fixed, an array for a set, and null if the text is too short.\n"
      "With -o the output goes to a file; a Parquet file has one column for each kind of\n"
      "value.\n"
      "\n"
      "Each record of a JSON Lines, JSON array, CSV, TSV or Parquet file is a document (see\n"
      "zhiwen formats); any other file is one document. gzip and zstd files are decompressed.\n"
      "From a folder, all files of records are read, or its *.txt files if it has no others.\n"
      "The scheme metadata also reads other fields of a record (--metadata).\n"
      "\n"
      "The schemes colour_grid and phash64 are made of pictures (JPEG, PNG, GIF, WebP, TIFF,\n"
      "BMP); of a folder they take the pictures.";
  spec.arguments = ArgumentSpec{"INPUT...", "Files or folders; - for standard input", 1, SIZE_MAX,
                                &options_.inputs.paths};
  spec.options = ChosenSchemeSpecs(chosen_);
  std::vector<OptionSpec> of_documents = DocumentInputSpecs(options_.inputs);
  std::ranges::move(of_documents, std::back_inserter(spec.options));
  spec.options.push_back(metadata_.Option());
  spec.options.push_back(
      OutputOption("FILE", options_.output.path,
                   "Write to this file: *.parquet, *.jsonl, *.jsonl.gz or *.jsonl.zst"));
  spec.options.push_back(FlagOption("--overwrite", options_.output.overwrite,
                                    "Replace an existing file of fingerprints"));
  spec.options.push_back(FlagOption("--values", prints_values_,
                                    "Print the values alone, one per line, without the documents "
                                    "that have none"));
  spec.options.push_back(FlagOption("--text", text_, "Same as --format text"));
  spec.options.push_back(ThreadsOption(threads_));
  spec.options.push_back(JsonOption(json_, "Print JSON Lines, which is the default"));
  NoteTyped(spec.options, typed_);
  spec.examples = {
      {"zhiwen fingerprint --scheme minhash docs.jsonl > codes.jsonl",
       "MinHash with its default parameters"},
      {"zhiwen fingerprint -s 'minhash(permutations=256)' -s exact docs.jsonl",
       "two schemes: two lines per document"},
      {"zhiwen fingerprint -s simhash64 docs.jsonl -o codes.parquet",
       "write a table for DuckDB, pandas or Spark"},
      {"cat docs.jsonl | zhiwen fingerprint -s minhash -", "read standard input"},
      {"zhiwen fingerprint -s keywords docs.jsonl --values | zhiwen filter build - -o seen.zwf",
       "remember the values in a byte or two each"},
      {"zhiwen fingerprint -s metadata --metadata title=headline,author=byline news.jsonl",
       "fingerprint title, author and text"},
      {"zhiwen fingerprint -s colour_grid -s phash64 *.jpg", "fingerprint pictures"},
      {"zhiwen schemes", "list the schemes"},
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
                                     {has_file, "--json", "with -o FILE, whose name says it"},
                                     {has_file, "--values", "with -o FILE"},
                                     {prints_values_, "--json", "with --values"}},
                                    typed_));
  if (prints_values_ && chosen_.names.size() > 1) {
    return Fail(ErrorCode::kInvalidArgument,
                "--values prints no names of schemes; give one --scheme");
  }
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
  const bool is_of_pictures = std::ranges::all_of(
      options_.schemes, [](const auto& scheme) { return scheme->is_of_pictures(); });
  if (const uint64_t count = done.without_value; count > 0) {
    console.PrintWarning(
        fmt::format("{} null{}: {}", count == 1 ? "1 value is" : FormatCount(count) + " values are",
                    prints_values_ ? ", and left out" : "",
                    is_of_pictures ? "pictures that have one colour nearly everywhere"
                                   : "too few features, symbols or words (zhiwen inspect shows "
                                     "them)"));
  }
}

Result<int> FingerprintCommand::Run(CommandContext& context) {
  ZHIWEN_RETURN_IF_ERROR(CheckOptions());
  ZHIWEN_ASSIGN_OR_RETURN(options_.schemes, CreateSchemes(chosen_, context.language));
  const bool is_of_pictures = std::ranges::any_of(
      options_.schemes, [](const auto& scheme) { return scheme->is_of_pictures(); });
  const bool uses_fields = std::ranges::any_of(options_.schemes, [](const auto& scheme) {
    return scheme->uses_fields() && !scheme->is_of_pictures();
  });
  ZHIWEN_RETURN_IF_ERROR(RefuseIdle(
      {{!uses_fields, "--metadata", "without a scheme that is made of fields (metadata, tagstr)"}},
      typed_));
  if (uses_fields) metadata_.AddTo(options_);
  if (is_of_pictures) {
    options_.fields.push_back({&DocumentFields::picture, std::string(kPictureField)});
  }
  BatchRun run(context, ThreadsToUse(threads_));
  if (prints_values_) options_.form = FingerprintLines::kValues;
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
