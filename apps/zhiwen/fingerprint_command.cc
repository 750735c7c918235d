#include <algorithm>
#include <atomic>
#include <iterator>
#include <mutex>

#include <fmt/format.h>

#include "command.h"
#include "document_batches.h"
#include "figures.h"
#include "scheme_channel.h"
#include "zhiwen/executor.h"
#include "zhiwen/json_forms.h"
#include "zhiwen/scheme.h"

namespace zhiwen {
namespace {

// Short names, such as minhash.
std::vector<std::string> SchemeFamilies() {
  std::vector<std::string> names;
  for (const SchemeDescription& scheme : DescribeSchemes()) {
    names.push_back(scheme.family.substr(0, scheme.family.rfind(".v")));
  }
  return names;
}

class FingerprintCommand : public Command {
 public:
  CommandSpec Describe() override;
  Result<int> Run(CommandContext& context) override;

 private:
  // What one run carries along.
  struct Work {
    Console& console;
    LanguageFile& language;
    std::unique_ptr<Executor> executor;
    std::vector<std::unique_ptr<Scheme>> schemes;
    std::atomic<uint64_t> without_value = 0;
  };

  Status CreateSchemes(Work& work) const;
  static Status WriteBatch(std::span<const SourceDocument> batch, Work& work);

  DocumentBatchOptions options_;
  std::vector<std::string> scheme_names_;
  std::optional<std::string> channel_, variants_;
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
  spec.options.push_back({"-s,--scheme", "NAME", "Scheme, short or full name; may be repeated",
                          [this](const std::string& text) {
                            scheme_names_.push_back(text);
                            return Status();
                          },
                          SchemeFamilies()});
  spec.options.back().repeat = Repeat::kEach;
  spec.options.push_back(ChannelOption(channel_));
  spec.options.back().help = "Channel of schemes whose name says none";
  spec.options.push_back(VariantsOption(variants_));
  std::vector<OptionSpec> of_documents = DocumentBatchSpecs(options_);
  std::ranges::move(of_documents, std::back_inserter(spec.options));
  spec.options.push_back(FlagOption("--text", text_, "The same as --format text"));
  spec.options.push_back(ThreadsOption(threads_));
  spec.options.push_back(JsonOption(json_, "Print JSON, which is the output in any case"));
  spec.examples = {
      {"zhiwen fingerprint --scheme minhash docs.jsonl > codes.jsonl", "with all defaults"},
      {"zhiwen fingerprint -s 'minhash(permutations=256)' -s exact docs.jsonl",
       "two schemes, two lines a document"},
      {"cat docs.jsonl | zhiwen fingerprint -s minhash -", "from standard input"},
      {"zhiwen schemes", "which schemes there are"},
  };
  return spec;
}

Status FingerprintCommand::CreateSchemes(Work& work) const {
  if (scheme_names_.empty()) {
    return Fail(ErrorCode::kInvalidArgument,
                "fingerprint needs --scheme NAME (see zhiwen schemes)");
  }
  ZHIWEN_ASSIGN_OR_RETURN(const std::optional<Channel> channel,
                          work.language.OpenChosen(channel_, variants_));
  for (const std::string& typed : scheme_names_) {
    std::string name = typed;
    if (channel_) {
      ZHIWEN_ASSIGN_OR_RETURN(name, AddChannel(typed, *channel_));
    }
    ZHIWEN_ASSIGN_OR_RETURN(std::unique_ptr<Scheme> scheme,
                            work.language.CreateScheme(name, variants_ ? channel : std::nullopt));
    work.schemes.push_back(std::move(scheme));
  }
  return {};
}

Status FingerprintCommand::WriteBatch(std::span<const SourceDocument> batch, Work& work) {
  std::vector<std::string> lines(batch.size());
  std::mutex mutex;
  Status failed;
  ParallelFor(*work.executor, batch.size(), 4, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      for (const auto& scheme : work.schemes) {
        const Result<Fingerprint> value = scheme->Compute(batch[i].text);
        if (!value) {
          const std::lock_guard lock(mutex);
          failed = Fail(value.error().code, value.error().message);
          return;
        }
        if (value->kind == Fingerprint::Kind::kNone) work.without_value.fetch_add(1);
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
  Work work{context.console, context.language, MakeThreadPool(ThreadsToUse(threads_)), {}, 0};
  ZHIWEN_RETURN_IF_ERROR(CreateSchemes(work));
  DocumentBatches batches(options_, context);
  ZHIWEN_RETURN_IF_ERROR(batches.ForEach(
      [&](std::span<const SourceDocument> batch) { return WriteBatch(batch, work); }));
  if (const uint64_t count = work.without_value; count > 0) {
    context.console.PrintWarning(
        fmt::format("{} null: too few symbols on the channel (zhiwen inspect shows them)",
                    count == 1 ? "1 value is" : FormatCount(count) + " values are"));
  }
  return 0;
}

}  // namespace

std::unique_ptr<Command> MakeFingerprintCommand() { return std::make_unique<FingerprintCommand>(); }

}  // namespace zhiwen
