#include <algorithm>
#include <atomic>
#include <iterator>
#include <mutex>
#include <set>

#include <fmt/format.h>

#include "command_line/idle_options.h"
#include "commands/chosen_schemes.h"
#include "commands/commands.h"
#include "commands/document_batches.h"
#include "commands/metadata_fields.h"
#include "terminal/figures.h"
#include "zhiwen/executor.h"
#include "zhiwen/file_system.h"
#include "zhiwen/fingerprint_file.h"
#include "zhiwen/json_forms.h"
#include "zhiwen/scheme.h"

namespace zhiwen {
namespace {

class FingerprintCommand : public Command {
 public:
  CommandSpec Describe() override;
  Result<int> Run(CommandContext& context) override;

 private:
  // What one run carries along.
  struct Work {
    Console& console;
    const MetadataFields& metadata;
    std::unique_ptr<Executor> executor;
    std::vector<std::unique_ptr<Scheme>> schemes;
    std::unique_ptr<FingerprintFile> file;  // null: they are printed
    std::atomic<uint64_t> without_value = 0;
    uint64_t documents = 0;
  };

  Status CheckOptions();
  static Result<std::vector<Fingerprint>> Compute(const SourceDocument& document, Work& work);
  static Status WriteBatch(std::span<const SourceDocument> batch, Work& work);
  Status Finish(const Work& work, const FoundFields& found) const;

  DocumentBatchOptions options_;
  ChosenSchemes chosen_;
  MetadataFields metadata_;
  FingerprintFileOptions output_;
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
                                &options_.inputs};
  spec.options = ChosenSchemeSpecs(chosen_);
  std::vector<OptionSpec> of_documents = DocumentBatchSpecs(options_);
  std::ranges::move(of_documents, std::back_inserter(spec.options));
  spec.options.push_back(metadata_.Option());
  spec.options.push_back(OutputOption(
      "FILE", output_.path,
      "File to write instead of printing: *.parquet, *.jsonl, *.jsonl.gz or *.jsonl.zst"));
  spec.options.push_back(
      FlagOption("--overwrite", output_.overwrite, "Replace a file of fingerprints that is there"));
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

// In the order of the schemes.
Result<std::vector<Fingerprint>> FingerprintCommand::Compute(const SourceDocument& document,
                                                             Work& work) {
  std::vector<Fingerprint> values;
  values.reserve(work.schemes.size());
  for (const auto& scheme : work.schemes) {
    ZHIWEN_ASSIGN_OR_RETURN(Fingerprint value,
                            scheme->uses_fields()
                                ? scheme->ComputeDocument(work.metadata.Of(document))
                                : scheme->Compute(document.text));
    if (!HasValue(value)) work.without_value.fetch_add(1);
    values.push_back(std::move(value));
  }
  return values;
}

Status FingerprintCommand::WriteBatch(std::span<const SourceDocument> batch, Work& work) {
  std::vector<std::string> lines(batch.size());                // to print
  std::vector<std::vector<Fingerprint>> values(batch.size());  // for the file
  std::mutex mutex;
  Status failed;
  ParallelFor(*work.executor, batch.size(), 4, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      Result<std::vector<Fingerprint>> computed = Compute(batch[i], work);
      if (!computed) {
        const std::lock_guard lock(mutex);
        failed = Fail(std::move(computed));
        return;
      }
      for (size_t k = 0; k < computed->size() && work.file == nullptr; ++k) {
        const std::string& name = work.schemes[k]->canonical_name();
        lines[i] += FingerprintToJson(batch[i].id, name, (*computed)[k]) + "\n";
      }
      if (work.file != nullptr) values[i] = *std::move(computed);
    }
  });
  ZHIWEN_RETURN_IF_ERROR(std::move(failed));
  work.documents += batch.size();
  for (size_t i = 0; i < batch.size(); ++i) {
    ZHIWEN_RETURN_IF_ERROR(work.console.Print(lines[i]));
    for (size_t k = 0; k < values[i].size(); ++k) {
      const std::string& name = work.schemes[k]->canonical_name();
      ZHIWEN_RETURN_IF_ERROR(work.file->Add(batch[i].id, name, values[i][k]));
    }
  }
  return {};
}

Status FingerprintCommand::CheckOptions() {
  if (text_ && options_.format && *options_.format != DocumentFormat::kText) {
    return Fail(ErrorCode::kInvalidArgument,
                "--text says that the inputs are texts, and --format another format; give one");
  }
  if (text_) options_.format = DocumentFormat::kText;
  const bool has_file = !output_.path.empty();
  ZHIWEN_RETURN_IF_ERROR(RefuseIdle({{!has_file, "--overwrite", "without -o FILE"},
                                     {has_file, "--json", "with -o FILE, whose name says it"}},
                                    typed_));
  if (!chosen_.names.empty()) return {};
  return Fail(ErrorCode::kInvalidArgument, "fingerprint needs --scheme NAME (see zhiwen schemes)");
}

// Gives the file its name, and says what was done.
Status FingerprintCommand::Finish(const Work& work, const FoundFields& found) const {
  const auto none_found = std::ranges::count(found.values, 0) == std::ssize(found.values);
  if (!found.values.empty() && found.documents > 0 && none_found) {
    work.console.PrintWarning(
        fmt::format("no record has one of the fields {}: the values are those of the texts alone; "
                    "name the fields with --metadata",
                    metadata_.Names()));
  }
  if (const uint64_t count = work.without_value; count > 0) {
    work.console.PrintWarning(
        fmt::format("{} null: too few features, symbols or words (zhiwen inspect shows them)",
                    count == 1 ? "1 value is" : FormatCount(count) + " values are"));
  }
  if (work.file == nullptr) return {};
  ZHIWEN_RETURN_IF_ERROR(work.file->Publish());
  if (work.console.quiet()) return {};
  return work.console.Print(
      fmt::format("{}: {}, {}\n", output_.path, FormatPlural(work.documents, "document"),
                  FormatPlural(work.documents * work.schemes.size(), "value")));
}

Result<int> FingerprintCommand::Run(CommandContext& context) {
  ZHIWEN_RETURN_IF_ERROR(CheckOptions());
  options_.stage = "compute";
  options_.outcome = "fingerprint";
  if (output_.path.empty()) options_.done = "printed";
  Work work{.console = context.console,
            .metadata = metadata_,
            .executor = MakeThreadPool(ThreadsToUse(threads_)),
            .schemes = {},
            .file = nullptr};
  ZHIWEN_ASSIGN_OR_RETURN(work.schemes, CreateSchemes(chosen_, context.language));
  const bool uses_fields =
      std::ranges::any_of(work.schemes, [](const auto& scheme) { return scheme->uses_fields(); });
  ZHIWEN_RETURN_IF_ERROR(RefuseIdle(
      {{!uses_fields, "--metadata", "without a scheme that is made of fields (metadata)"}},
      typed_));
  if (uses_fields) metadata_.AddTo(options_);
  DocumentBatches batches(options_, context);
  ZHIWEN_RETURN_IF_ERROR(batches.Prepare());  // so that the file is none of the inputs
  if (!output_.path.empty()) {
    ZHIWEN_ASSIGN_OR_RETURN(work.file, FingerprintFile::Create(PosixFileSystem(), output_));
  }
  ZHIWEN_RETURN_IF_ERROR(batches.ForEach(
      [&](std::span<const SourceDocument> batch) { return WriteBatch(batch, work); }));
  ZHIWEN_RETURN_IF_ERROR(Finish(work, batches.found()));
  return 0;
}

}  // namespace

std::unique_ptr<Command> MakeFingerprintCommand() { return std::make_unique<FingerprintCommand>(); }

}  // namespace zhiwen
