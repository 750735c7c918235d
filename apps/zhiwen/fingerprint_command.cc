#include <algorithm>
#include <atomic>
#include <iterator>
#include <mutex>

#include <fmt/format.h>

#include "chosen_schemes.h"
#include "command.h"
#include "document_batches.h"
#include "figures.h"
#include "idle_options.h"
#include "metadata_fields.h"
#include "zhiwen/executor.h"
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
    std::atomic<uint64_t> without_value = 0;
  };

  static Status WriteBatch(std::span<const SourceDocument> batch, Work& work);

  DocumentBatchOptions options_;
  ChosenSchemes chosen_;
  MetadataFields metadata_;
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
      "set, null for a text too short to have a feature. Files of JSON Lines, CSV, TSV and\n"
      "Parquet hold a document a record (see zhiwen formats), gzip and zstd are read as they\n"
      "are; any other file is one document. Of a folder its files of records are read, or its\n"
      "*.txt where there are none.";
  spec.arguments = ArgumentSpec{"INPUT...", "Files or folders; - for standard input", 1, SIZE_MAX,
                                &options_.inputs};
  spec.options = ChosenSchemeSpecs(chosen_, "Scheme, short or full name; may be repeated");
  spec.options[1].help = "Channel of schemes whose name says none";
  std::vector<OptionSpec> of_documents = DocumentBatchSpecs(options_);
  std::ranges::move(of_documents, std::back_inserter(spec.options));
  spec.options.push_back(metadata_.Option());
  spec.options.push_back(FlagOption("--text", text_, "The same as --format text"));
  spec.options.push_back(ThreadsOption(threads_));
  spec.options.push_back(JsonOption(json_, "Print JSON, which is the output in any case"));
  spec.examples = {
      {"zhiwen fingerprint --scheme minhash docs.jsonl > codes.jsonl", "with all defaults"},
      {"zhiwen fingerprint -s 'minhash(permutations=256)' -s exact docs.jsonl",
       "two schemes, two lines a document"},
      {"cat docs.jsonl | zhiwen fingerprint -s minhash -", "from standard input"},
      {"zhiwen fingerprint -s metadata --metadata title=headline,author=byline news.jsonl",
       "of title, author and text"},
      {"zhiwen schemes", "which schemes there are"},
  };
  return spec;
}

Status FingerprintCommand::WriteBatch(std::span<const SourceDocument> batch, Work& work) {
  std::vector<std::string> lines(batch.size());
  std::mutex mutex;
  Status failed;
  ParallelFor(*work.executor, batch.size(), 4, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      for (const auto& scheme : work.schemes) {
        const Result<Fingerprint> value = scheme->uses_fields()
                                              ? scheme->ComputeDocument(work.metadata.Of(batch[i]))
                                              : scheme->Compute(batch[i].text);
        if (!value) {
          const std::lock_guard lock(mutex);
          failed = Fail(value.error().code, value.error().message);
          return;
        }
        if (!HasValue(*value)) work.without_value.fetch_add(1);
        lines[i] += FingerprintToJson(batch[i].id, scheme->canonical_name(), *value) + "\n";
      }
    }
  });
  ZHIWEN_RETURN_IF_ERROR(std::move(failed));
  for (const std::string& line : lines) ZHIWEN_RETURN_IF_ERROR(work.console.Print(line));
  return {};
}

Result<int> FingerprintCommand::Run(CommandContext& context) {
  if (text_ && options_.format && *options_.format != DocumentFormat::kText) {
    return Fail(ErrorCode::kInvalidArgument,
                "--text says that the inputs are texts, and --format another format; give one");
  }
  if (text_) options_.format = DocumentFormat::kText;
  options_.stage = "compute";
  options_.outcome = "fingerprint";
  options_.done = "printed";
  if (chosen_.names.empty()) {
    return Fail(ErrorCode::kInvalidArgument,
                "fingerprint needs --scheme NAME (see zhiwen schemes)");
  }
  Work work{context.console, metadata_, MakeThreadPool(ThreadsToUse(threads_)), {}, 0};
  ZHIWEN_ASSIGN_OR_RETURN(work.schemes, CreateSchemes(chosen_, context.language));
  const bool uses_fields =
      std::ranges::any_of(work.schemes, [](const auto& scheme) { return scheme->uses_fields(); });
  if (uses_fields) metadata_.AddTo(options_);
  ZHIWEN_RETURN_IF_ERROR(RefuseIdle({{!uses_fields && metadata_.is_typed(), "--metadata",
                                      "without a scheme that is made of fields (metadata)"}}));
  DocumentBatches batches(options_, context);
  ZHIWEN_RETURN_IF_ERROR(batches.ForEach(
      [&](std::span<const SourceDocument> batch) { return WriteBatch(batch, work); }));
  const FoundFields& found = batches.found();
  if (uses_fields && found.documents > 0 &&
      std::ranges::count(found.values, 0) == std::ssize(found.values)) {
    context.console.PrintWarning(
        fmt::format("no record has one of the fields {}: the values are those of the texts alone; "
                    "name the fields with --metadata",
                    metadata_.Names()));
  }
  if (const uint64_t count = work.without_value; count > 0) {
    context.console.PrintWarning(
        fmt::format("{} null: too few features, symbols or words (zhiwen inspect shows them)",
                    count == 1 ? "1 value is" : FormatCount(count) + " values are"));
  }
  return 0;
}

}  // namespace

std::unique_ptr<Command> MakeFingerprintCommand() { return std::make_unique<FingerprintCommand>(); }

}  // namespace zhiwen
