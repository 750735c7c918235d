#include "commands/document_batches.h"

#include <algorithm>

#include <fmt/format.h>

#include "command_line/idle_options.h"
#include "command_line/option_values.h"
#include "terminal/figures.h"
#include "terminal/standard_input.h"
#include "zhiwen/file_system.h"

namespace zhiwen {
namespace {

constexpr size_t kBatchDocuments = 1024;
constexpr size_t kBatchBytes = size_t{8} << 20;
constexpr uint64_t kWarnings = 10;  // bad records named one by one

// What ids and messages call an input.
std::string NameOf(const std::string& path) { return path == kStandardInput ? "stdin" : path; }

}  // namespace

std::vector<std::string_view> TextsOf(std::span<const SourceDocument> batch) {
  std::vector<std::string_view> texts;
  texts.reserve(batch.size());
  for (const SourceDocument& document : batch) texts.emplace_back(document.text);
  return texts;
}

std::vector<OptionSpec> DocumentBatchSpecs(DocumentBatchOptions& options) {
  return {TextFieldOption(options.documents.text_fields),
          IdFieldOption(options.documents.id_field),
          FormatOption(options.format),
          SeparatorOption(options.documents.separator_option, options.documents.syntax),
          EncodingOption(options.documents.syntax),
          ParsedOption("--max-failed", "N|P%",
                       "Failed records that end in exit 3 (default 1%, at least 100)",
                       options.max_failed, ParseFailureLimit)};
}

DocumentBatches::DocumentBatches(const DocumentBatchOptions& options, CommandContext& context)
    : options_(options),
      cancellation_(context.cancellation),
      progress_(context.console, SystemClock()),
      log_(context.console, progress_) {}

// Looks at every input before any work is done.
Result<std::vector<DocumentFile>> DocumentBatches::ListInputs() {
  const std::vector<std::string>& inputs = options_.inputs;
  const auto stdin_at = std::find(inputs.begin(), inputs.end(), kStandardInput);
  const bool has_stdin = stdin_at != inputs.end();
  if (has_stdin && std::find(stdin_at + 1, inputs.end(), kStandardInput) != inputs.end()) {
    return Fail(ErrorCode::kInvalidArgument, "standard input can be read once only");
  }
  std::vector<std::string> named(inputs.begin(), stdin_at);
  const size_t before_stdin = named.size();
  if (has_stdin) named.insert(named.end(), stdin_at + 1, inputs.end());
  const ListOptions options{.format = options_.format,
                            .otherwise = options_.otherwise,
                            .syntax = options_.documents.syntax};
  ZHIWEN_ASSIGN_OR_RETURN(DocumentFiles found,
                          ListDocumentFiles(PosixFileSystem(), named, options));
  for (const std::string& warning : found.warnings) log_.Warn(warning);
  for (const DocumentFile& file : found.files) total_bytes_ += file.identity.size;
  if (!has_stdin) return std::move(found.files);
  total_bytes_ = 0;
  DocumentFile input{.path = std::string(kStandardInput), .identity = {}};
  input.format = options_.format.value_or(options_.standard_input);
  const auto behind = std::ranges::find_if(
      found.files, [&](const DocumentFile& file) { return file.input >= before_stdin; });
  found.files.insert(behind, std::move(input));
  return std::move(found.files);
}

bool DocumentBatches::IsByLines(const DocumentFile& file) const {
  return file.format == DocumentFormat::kText && options_.documents.text_files == TextFiles::kLines;
}

void DocumentBatches::CountFault(const DocumentFile& file, const SourceDocument& document) {
  const std::string place = document.record == 0 ? "" : fmt::format(" record {}", document.record);
  std::string fault = fmt::format("\"{}\"{}: {}: {}", NameOf(file.path), place, document.fault,
                                  document.fault_detail);
  if (document.fault == "too_large" && !options_.too_large.empty()) {
    fault += "; " + options_.too_large;
  } else if (IsByLines(file) && document.begin.value > 0) {
    const bool is_packed = file.compression != DocumentCompression::kNone;
    fault += fmt::format("; the lines before byte {}{} were {}", document.begin.value,
                         is_packed ? " (when decompressed)" : "", options_.done);
  }
  if (failed_ == 0) first_fault_ = fault;
  if (document.fault == "missing_field" && first_missing_field_.empty()) {
    first_missing_field_ = fault;
  }
  is_no_json_ = is_no_json_ || document.fault == "invalid_json";
  if (++failed_ <= kWarnings) log_.Warn("cannot use " + fault);
}

void DocumentBatches::AddFound(const FoundFields& found) {
  found_.documents += found.documents;
  found_.ids += found.ids;
  found_.looked_at += found.looked_at;
  found_.html += found.html;
  found_.texts.resize(std::max(found_.texts.size(), found.texts.size()));
  for (size_t i = 0; i < found.texts.size(); ++i) found_.texts[i] += found.texts[i];
  found_.values.resize(found.values.size());
  for (size_t i = 0; i < found.values.size(); ++i) found_.values[i] += found.values[i];
}

// A field that somebody named and no record has is a mistake of the command line.
Status DocumentBatches::CheckNamedFields() const {
  if (found_.documents == 0 && !first_missing_field_.empty()) {
    return Fail(ErrorCode::kNotFound,
                fmt::format("no record has the text field ({}); name it with {}",
                            first_missing_field_, options_.text_option));
  }
  for (size_t i = 0; i < found_.texts.size(); ++i) {
    if (found_.texts[i] > 0) continue;
    return Fail(ErrorCode::kNotFound,
                fmt::format("no record has the text field \"{}\" ({})",
                            options_.documents.text_fields[i], options_.text_option));
  }
  for (size_t i = 0; i < found_.values.size(); ++i) {
    const auto named = std::ranges::find(options_.named_fields, options_.documents.value_fields[i],
                                         &NamedField::name);
    if (found_.documents == 0 || found_.values[i] > 0 || named == options_.named_fields.end()) {
      continue;
    }
    return Fail(ErrorCode::kNotFound, fmt::format("no record has a value in the field \"{}\" ({})",
                                                  named->name, named->option));
  }
  if (!options_.documents.id_field || found_.documents == 0 || found_.ids > 0) return {};
  return Fail(ErrorCode::kNotFound, fmt::format("no record has the id field \"{}\" (--id-field)",
                                                *options_.documents.id_field));
}

Status DocumentBatches::CheckFailures() {
  if (failed_ == 0) return {};
  const bool may_be_text = is_no_json_ && options_.otherwise == DocumentFormat::kText;
  if (failed_ == records_) {
    return Fail(ErrorCode::kUnreadable,
                fmt::format("none of {} {} has a {}; the first: {}{}", records_,
                            records_ == 1 ? "record" : "records", options_.outcome, first_fault_,
                            may_be_text ? "; if it is a text, give --format text" : ""));
  }
  const std::string counted =
      fmt::format("{} of {} records have no {}", failed_, records_, options_.outcome);
  const double limit = std::max(static_cast<double>(options_.max_failed.count),
                                options_.max_failed.share * static_cast<double>(records_));
  if (static_cast<double>(failed_) > limit) {
    return Fail(
        ErrorCode::kUnreadable,
        fmt::format("{}, more than --max-failed allows; correct them, or raise it", counted));
  }
  log_.Warn(counted);
  return {};
}

Result<DocumentReader> DocumentBatches::OpenReader(const DocumentFile& file) const {
  if (file.path != kStandardInput) {
    return DocumentReader::Open(PosixFileSystem(), file, options_.documents);
  }
  DocumentOptions options = options_.documents;
  options.may_be_array = !options_.format;
  return DocumentReader::Create(OpenStandardInput(cancellation_), NameOf(file.path), file.format,
                                options);
}

// A text that nobody called one, and that looks like records, is perhaps none.
void DocumentBatches::WarnOfRecords(const DocumentFile& file, std::string_view text) {
  const std::string_view line = text.substr(0, text.find_first_of("\r\n"));
  if (file.format != DocumentFormat::kText || options_.format || FormatOfPath(file.path)) return;
  if (!line.starts_with("{\"") || !line.ends_with('}')) return;
  log_.Warn(
      fmt::format("\"{}\" is read as a text, but its first line is JSON; if its lines are "
                  "records, give --format jsonl",
                  NameOf(file.path)));
}

tl::unexpected<Error> DocumentBatches::FailDamaged(const DocumentFile& file, Error error,
                                                   uint64_t documents) const {
  if (error.code != ErrorCode::kUnreadable) return tl::unexpected(std::move(error));
  if (documents > 0 && !options_.done.empty()) {
    const std::string what = IsByLines(file) ? "the lines" : FormatPlural(documents, "record");
    error.message += fmt::format("; {} before that {} {}", what,
                                 what.ends_with('s') ? "were" : "was", options_.done);
  }
  const bool is_packed = file.compression != DocumentCompression::kNone;
  // An error of a file that changed says so itself.
  const bool has_advice = error.message.find("run again") != std::string::npos;
  if ((is_packed || documents > 0) && !has_advice) {
    error.message += "; replace the file and run again";
  }
  return tl::unexpected(std::move(error));
}

Status DocumentBatches::ReadFile(const DocumentFile& file, const Visit& visit) {
  ZHIWEN_ASSIGN_OR_RETURN(DocumentReader reader, OpenReader(file));
  std::vector<SourceDocument> batch;
  size_t batch_bytes = 0;
  uint64_t documents = 0;
  bool is_first = true;
  for (bool more = true; more;) {
    ZHIWEN_RETURN_IF_ERROR(cancellation_.Check());
    Result<std::optional<SourceDocument>> read = reader.Next();
    if (!read) {
      ZHIWEN_RETURN_IF_ERROR(visit(batch));
      return FailDamaged(file, std::move(read).error(), documents);
    }
    std::optional<SourceDocument> next = *std::move(read);
    more = next.has_value();
    if (more && next->fault.empty() && options_.check) options_.check(*next);
    records_ += more && (is_first || !IsByLines(file)) ? 1 : 0;
    if (more && !next->fault.empty()) {
      CountFault(file, *next);
      more = !IsByLines(file);
    } else if (more) {
      if (is_first) WarnOfRecords(file, next->text);
      ++documents;
      batch_bytes += next->text.size();
      for (const std::string& value : next->values) batch_bytes += value.size();
      batch.push_back(*std::move(next));
    }
    is_first = false;
    if (!more || batch.size() >= kBatchDocuments || batch_bytes >= kBatchBytes) {
      ZHIWEN_RETURN_IF_ERROR(visit(batch));
      progress_.Advance(options_.stage, bytes_before_ + reader.bytes_read(), total_bytes_, "bytes");
      batch.clear();
      batch_bytes = 0;
    }
  }
  bytes_before_ += reader.bytes_read();
  AddFound(reader.found_fields());
  return {};
}

// Texts have no fields.
Status DocumentBatches::RefuseIdleOptions(std::span<const DocumentFile> files) const {
  for (const DocumentFile& file : files) {
    if (file.format != DocumentFormat::kText || options_.no_texts.empty()) continue;
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("cannot use \"{}\": {}", NameOf(file.path), options_.no_texts));
  }
  const DocumentOptions& chosen = options_.documents;
  const bool has_texts_only = std::ranges::all_of(
      files, [](const DocumentFile& file) { return file.format == DocumentFormat::kText; });
  constexpr std::string_view kWhy = "with texts, which have no fields (of records say --format)";
  return RefuseIdle({{has_texts_only && chosen.text_fields != DocumentOptions().text_fields,
                      "--text-field", kWhy},
                     {has_texts_only && chosen.id_field.has_value(), "--id-field", kWhy},
                     {has_texts_only && !options_.named_fields.empty(), "--metadata", kWhy}});
}

Status DocumentBatches::Prepare() {
  if (listed_) return {};
  ZHIWEN_ASSIGN_OR_RETURN(listed_, ListInputs());
  files_ = listed_->size();
  return RefuseIdleOptions(*listed_);
}

Status DocumentBatches::ForEach(const Visit& visit) {
  ZHIWEN_RETURN_IF_ERROR(Prepare());
  for (const DocumentFile& file : *listed_) ZHIWEN_RETURN_IF_ERROR(ReadFile(file, visit));
  progress_.Clear();
  if (const std::string warning = WarningOfHtml(found_); !warning.empty()) log_.Warn(warning);
  ZHIWEN_RETURN_IF_ERROR(CheckNamedFields());
  return CheckFailures();
}

}  // namespace zhiwen
