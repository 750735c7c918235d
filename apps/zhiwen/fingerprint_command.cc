#include <algorithm>
#include <atomic>
#include <iterator>
#include <mutex>

#include <fmt/format.h>

#include "command.h"
#include "document_batches.h"
#include "figures.h"
#include "scheme_channel.h"
#include "term_files.h"
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

// A file that no scheme counts with was meant to be counted with.
Status RefuseIdleFiles(const SchemeResources& resources, const TermFiles& files,
                       std::span<const std::unique_ptr<Scheme>> schemes) {
  const auto refuse = [&](std::string_view option, const std::string& name) -> Status {
    const bool is_used = std::ranges::any_of(schemes, [&](const std::unique_ptr<Scheme>& scheme) {
      return scheme->canonical_name().find(name) != std::string::npos;
    });
    if (is_used) return {};
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("no scheme here uses {}; leave it out, or name one that does (zhiwen "
                            "schemes)",
                            option));
  };
  if (!files.df.empty()) ZHIWEN_RETURN_IF_ERROR(refuse("--df", "df=" + resources.snapshot->id()));
  if (!files.stop_words.empty()) {
    ZHIWEN_RETURN_IF_ERROR(refuse("--stopwords", "stop_words=" + resources.stop_words->id()));
  }
  if (!files.has_words()) return {};
  return refuse(files.dictionaries.empty() ? "--synonyms" : "--dict", resources.terms->name());
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
  Result<SchemeResources> OpenResources(LanguageFile& language) const;
  static Status WriteBatch(std::span<const SourceDocument> batch, Work& work);

  DocumentBatchOptions options_;
  std::vector<std::string> scheme_names_;
  std::optional<std::string> channel_, variants_;
  TermFiles term_files_;
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
  std::ranges::move(TermFileSpecs(term_files_), std::back_inserter(spec.options));
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
  ZHIWEN_ASSIGN_OR_RETURN(const SchemeResources resources, OpenResources(work.language));
  for (const std::string& typed : scheme_names_) {
    std::string name = typed;
    if (channel_) {
      ZHIWEN_ASSIGN_OR_RETURN(name, AddChannel(typed, *channel_));
    }
    ZHIWEN_ASSIGN_OR_RETURN(std::unique_ptr<Scheme> scheme,
                            work.language.CreateScheme(name, resources));
    work.schemes.push_back(std::move(scheme));
  }
  return RefuseIdleFiles(resources, term_files_, work.schemes);
}

Result<SchemeResources> FingerprintCommand::OpenResources(LanguageFile& language) const {
  SchemeResources resources;
  ZHIWEN_ASSIGN_OR_RETURN(const std::optional<Channel> channel,
                          language.OpenChosen(channel_, variants_));
  if (variants_) resources.channel = channel;
  ZHIWEN_ASSIGN_OR_RETURN(resources.snapshot, OpenSnapshot(term_files_));
  ZHIWEN_ASSIGN_OR_RETURN(resources.stop_words, OpenStopWords(term_files_));
  if (term_files_.has_words()) {
    ZHIWEN_ASSIGN_OR_RETURN(resources.terms, OpenTerms(term_files_, language));
  }
  return resources;
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
  Work work{context.console, context.language, MakeThreadPool(ThreadsToUse(threads_)), {}, 0};
  ZHIWEN_RETURN_IF_ERROR(CreateSchemes(work));
  DocumentBatches batches(options_, context);
  ZHIWEN_RETURN_IF_ERROR(batches.ForEach(
      [&](std::span<const SourceDocument> batch) { return WriteBatch(batch, work); }));
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
