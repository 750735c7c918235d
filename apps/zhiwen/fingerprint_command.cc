#include <algorithm>
#include <atomic>
#include <mutex>

#include <fmt/format.h>

#include "command.h"
#include "option_values.h"
#include "progress_bar.h"
#include "scheme_channel.h"
#include "standard_input.h"
#include "zhiwen/documents.h"
#include "zhiwen/executor.h"
#include "zhiwen/file_system.h"
#include "zhiwen/json_forms.h"
#include "zhiwen/scheme.h"

namespace zhiwen {
namespace {

constexpr size_t kBatchDocuments = 1024;
constexpr size_t kBatchBytes = size_t{8} << 20;
constexpr uint64_t kWarnings = 10;  // bad records named one by one

// What ids and messages call an input.
std::string NameOf(const std::string& path) { return path == kStandardInput ? "stdin" : path; }

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
    const Cancellation& cancellation;
    LanguageFile& language;
    ProgressBar progress;
    ConsoleLog log;
    std::unique_ptr<Executor> executor;
    std::vector<std::unique_ptr<Scheme>> schemes;
    uint64_t records = 0, failed = 0;
    std::string first_fault = {}, first_missing_field = {};  // for people
    FoundFields found = {};
    uint64_t bytes_before = 0;  // of the files that are done
    uint64_t total_bytes = 0;   // 0: unknown
  };

  Status CreateSchemes(Work& work) const;
  Result<std::vector<DocumentFile>> ListInputs(Work& work) const;
  Result<DocumentReader> OpenReader(const DocumentFile& file,
                                    const Cancellation& cancellation) const;
  Status ReadFile(const DocumentFile& file, Work& work) const;
  void CountFault(const std::string& name, const SourceDocument& document, Work& work) const;
  static void AddFound(const FoundFields& found, Work& work);
  Status CheckNamedFields(const Work& work) const;
  Status CheckFailures(Work& work) const;
  Status WriteBatch(std::span<const SourceDocument> batch, Work& work) const;

  std::vector<std::string> inputs_;
  std::vector<std::string> scheme_names_;
  DocumentOptions documents_;
  std::optional<std::string> channel_, variants_;
  std::optional<DocumentFormat> format_;
  FailureLimit max_failed_;
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
  spec.arguments =
      ArgumentSpec{"INPUT...", "Files or folders; - for standard input", 1, SIZE_MAX, &inputs_};
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
  spec.options.push_back(TextFieldOption(documents_.text_fields));
  spec.options.push_back(IdFieldOption(documents_.id_field));
  spec.options.push_back(FormatOption(format_));
  spec.options.push_back(FlagOption("--text", text_, "The same as --format text"));
  spec.options.push_back(ParsedOption(
      "--max-failed", "N|P%", "Failed records that end in exit 3 (default 1%, at least 100)",
      max_failed_, ParseFailureLimit));
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

// Looks at every input before any work is done.
Result<std::vector<DocumentFile>> FingerprintCommand::ListInputs(Work& work) const {
  const auto stdin_at = std::find(inputs_.begin(), inputs_.end(), kStandardInput);
  const bool has_stdin = stdin_at != inputs_.end();
  if (has_stdin && std::find(stdin_at + 1, inputs_.end(), kStandardInput) != inputs_.end()) {
    return Fail(ErrorCode::kInvalidArgument, "standard input can be read once only");
  }
  std::vector<std::string> named(inputs_.begin(), stdin_at);
  const size_t before_stdin = named.size();
  if (has_stdin) named.insert(named.end(), stdin_at + 1, inputs_.end());
  const std::optional<DocumentFormat> format = text_ ? DocumentFormat::kText : format_;
  const ListOptions options{.format = format, .otherwise = DocumentFormat::kText};
  ZHIWEN_ASSIGN_OR_RETURN(DocumentFiles found,
                          ListDocumentFiles(PosixFileSystem(), named, options));
  for (const std::string& warning : found.warnings) work.log.Warn(warning);
  for (const DocumentFile& file : found.files) work.total_bytes += file.identity.size;
  if (!has_stdin) return std::move(found.files);
  work.total_bytes = 0;
  DocumentFile input{.path = std::string(kStandardInput), .identity = {}};
  input.format = format.value_or(DocumentFormat::kJsonLines);
  const auto behind = std::ranges::find_if(
      found.files, [&](const DocumentFile& file) { return file.input >= before_stdin; });
  found.files.insert(behind, std::move(input));
  return std::move(found.files);
}

void FingerprintCommand::CountFault(const std::string& name, const SourceDocument& document,
                                    Work& work) const {
  const std::string place = document.record == 0 ? "" : fmt::format(" record {}", document.record);
  const std::string fault =
      fmt::format("\"{}\"{}: {}: {}", name, place, document.fault, document.fault_detail);
  if (work.failed == 0) work.first_fault = fault;
  if (document.fault == "missing_field" && work.first_missing_field.empty()) {
    work.first_missing_field = fault;
  }
  if (++work.failed <= kWarnings) work.log.Warn("cannot use " + fault);
}

void FingerprintCommand::AddFound(const FoundFields& found, Work& work) {
  work.found.documents += found.documents;
  work.found.ids += found.ids;
  work.found.texts.resize(std::max(work.found.texts.size(), found.texts.size()));
  for (size_t i = 0; i < found.texts.size(); ++i) work.found.texts[i] += found.texts[i];
}

// A field that somebody named and no record has is a mistake of the command line.
Status FingerprintCommand::CheckNamedFields(const Work& work) const {
  if (work.found.documents == 0 && !work.first_missing_field.empty()) {
    return Fail(ErrorCode::kNotFound,
                fmt::format("no record has the text field ({}); name it with --text-field",
                            work.first_missing_field));
  }
  for (size_t i = 0; i < work.found.texts.size(); ++i) {
    if (work.found.texts[i] > 0) continue;
    return Fail(ErrorCode::kNotFound, fmt::format("no record has the text field \"{}\" "
                                                  "(--text-field)",
                                                  documents_.text_fields[i]));
  }
  if (!documents_.id_field || work.found.documents == 0 || work.found.ids > 0) return {};
  return Fail(ErrorCode::kNotFound,
              fmt::format("no record has the id field \"{}\" (--id-field)", *documents_.id_field));
}

Status FingerprintCommand::CheckFailures(Work& work) const {
  if (work.failed == 0) return {};
  if (work.failed == work.records) {
    return Fail(ErrorCode::kUnreadable,
                fmt::format("none of {} {} has a fingerprint; the first: {}", work.records,
                            work.records == 1 ? "record" : "records", work.first_fault));
  }
  const std::string counted =
      fmt::format("{} of {} records have no fingerprint", work.failed, work.records);
  const double limit = std::max(static_cast<double>(max_failed_.count),
                                max_failed_.share * static_cast<double>(work.records));
  if (static_cast<double>(work.failed) > limit) {
    return Fail(ErrorCode::kUnreadable, fmt::format("{}, more than --max-failed allows", counted));
  }
  work.log.Warn(counted);
  return {};
}

Status FingerprintCommand::WriteBatch(std::span<const SourceDocument> batch, Work& work) const {
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
        lines[i] += FingerprintToJson(batch[i].id, scheme->canonical_name(), *value) + "\n";
      }
    }
  });
  ZHIWEN_RETURN_IF_ERROR(std::move(failed));
  for (const std::string& line : lines) ZHIWEN_RETURN_IF_ERROR(work.console.Print(line));
  return {};
}

Result<DocumentReader> FingerprintCommand::OpenReader(const DocumentFile& file,
                                                      const Cancellation& cancellation) const {
  if (file.path != kStandardInput) {
    return DocumentReader::Open(PosixFileSystem(), file, documents_);
  }
  return DocumentReader::Create(OpenStandardInput(cancellation), NameOf(file.path), file.format,
                                documents_);
}

Status FingerprintCommand::ReadFile(const DocumentFile& file, Work& work) const {
  ZHIWEN_ASSIGN_OR_RETURN(DocumentReader reader, OpenReader(file, work.cancellation));
  std::vector<SourceDocument> batch;
  size_t batch_bytes = 0;
  for (bool more = true; more;) {
    ZHIWEN_RETURN_IF_ERROR(work.cancellation.Check());
    ZHIWEN_ASSIGN_OR_RETURN(std::optional<SourceDocument> next, reader.Next());
    more = next.has_value();
    work.records += more ? 1 : 0;
    if (more && !next->fault.empty()) {
      CountFault(NameOf(file.path), *next, work);
    } else if (more) {
      batch_bytes += next->text.size();
      batch.push_back(*std::move(next));
    }
    if (!more || batch.size() >= kBatchDocuments || batch_bytes >= kBatchBytes) {
      ZHIWEN_RETURN_IF_ERROR(WriteBatch(batch, work));
      work.progress.Advance("compute", work.bytes_before + reader.bytes_read(), work.total_bytes,
                            "bytes");
      batch.clear();
      batch_bytes = 0;
    }
  }
  work.bytes_before += reader.bytes_read();
  AddFound(reader.found_fields(), work);
  return {};
}

Result<int> FingerprintCommand::Run(CommandContext& context) {
  if (text_ && format_ && *format_ != DocumentFormat::kText) {
    return Fail(ErrorCode::kInvalidArgument,
                "--text says that the inputs are texts, and --format another format; give one");
  }
  Work work{context.console,
            context.cancellation,
            context.language,
            {context.console, SystemClock()},
            {context.console, work.progress},
            MakeThreadPool(ThreadsToUse(threads_)),
            {}};
  ZHIWEN_RETURN_IF_ERROR(CreateSchemes(work));
  ZHIWEN_ASSIGN_OR_RETURN(const std::vector<DocumentFile> files, ListInputs(work));
  for (const DocumentFile& file : files) ZHIWEN_RETURN_IF_ERROR(ReadFile(file, work));
  work.progress.Clear();
  ZHIWEN_RETURN_IF_ERROR(CheckNamedFields(work));
  ZHIWEN_RETURN_IF_ERROR(CheckFailures(work));
  return 0;
}

}  // namespace

std::unique_ptr<Command> MakeFingerprintCommand() { return std::make_unique<FingerprintCommand>(); }

}  // namespace zhiwen
