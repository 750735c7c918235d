#include "zhiwen/document_batches.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <ranges>
#include <utility>

#include <fmt/format.h>

#include "pipeline/batches/input_paths.h"
#include "zhiwen/figures.h"
#include "zhiwen/named_text.h"
#include "zhiwen/picture.h"

namespace zhiwen {
namespace {

constexpr size_t kBatchDocuments = 1024;
constexpr size_t kBatchBytes = size_t{8} << 20;
// The documents arrive over time.
constexpr std::chrono::milliseconds kQuiet(5), kOldest(100);
constexpr uint64_t kWarnings = 10;  // bad records named one by one

void AddEach(std::vector<uint64_t>& sums, const std::vector<uint64_t>& counts) {
  sums.resize(std::max(sums.size(), counts.size()));
  for (size_t i = 0; i < counts.size(); ++i) sums[i] += counts[i];
}

void AddUp(FoundFields& sum, const FoundFields& found) {
  sum.documents += found.documents;
  sum.ids += found.ids;
  sum.looked_at += found.looked_at;
  sum.html += found.html;
  for (const auto& [what, count] : found.passed_over) sum.passed_over[what] += count;
  sum.decoding_errors.texts += found.decoding_errors.texts;
  sum.decoding_errors.places += found.decoding_errors.places;
  AddEach(sum.texts, found.texts);
  AddEach(sum.values, found.values);
  AddEach(sum.fields, found.fields);
}

}  // namespace

std::vector<std::string_view> TextsOf(std::span<const SourceDocument> batch) {
  std::vector<std::string_view> texts;
  texts.reserve(batch.size());
  for (const SourceDocument& document : batch) texts.emplace_back(document.text);
  return texts;
}

class DocumentBatches::State {
 public:
  State(DocumentInputs inputs, DocumentWork work, const BatchEnvironment& environment)
      : inputs_(std::move(inputs)), work_(std::move(work)), environment_(environment) {}

  Status Prepare();
  Status ForEach(const Visit& visit);
  size_t files() const { return listed_ ? listed_->size() : 0; }
  bool is_one_document() const {
    return files() == 1 && (IsWholeFile(listed_->front().format) || !named_records_.empty());
  }
  const FoundFields& found() const { return found_; }

 private:
  Result<std::optional<DocumentFile>> FindListedApart(const std::string& path);
  Result<std::vector<DocumentFile>> ListInputs();
  Status RefuseIdleOptions(std::span<const DocumentFile> files) const;
  Result<DocumentReader> OpenReader(const DocumentFile& file);
  Result<bool> Await(std::chrono::milliseconds patience);
  Status VisitBatch();
  void AddToBatch(SourceDocument document);
  Status ReadFile(const DocumentFile& file);
  Status ReadNamedRecord(const DocumentFile& file, const NamedText& name);
  void WarnOfRecords(const DocumentFile& file, std::string_view text) const;
  bool IsByLines(const DocumentFile& file) const;
  void CountFault(const DocumentFile& file, const SourceDocument& document);
  void TellHeldWarnings();
  tl::unexpected<Error> FailDamaged(const DocumentFile& file, Error error,
                                    uint64_t documents) const;
  struct LackingField {
    std::string_view what;  // "the text field"
    NamedField field;
  };
  std::optional<LackingField> FindLacking(const FoundFields& found,
                                          std::span<const uint64_t> with_field) const;
  Status CheckNamedFields() const;
  Status CheckFirstBatch();
  Status CheckFailures() const;

  const DocumentInputs inputs_;
  const DocumentWork work_;
  const BatchEnvironment& environment_;
  // Whether a user named fields whose absence is a mistake.
  const bool names_fields_ = !inputs_.named_fields.empty() || inputs_.documents.id_field ||
                             inputs_.documents.text_fields.size() > 1;
  std::optional<std::vector<DocumentFile>> listed_;
  std::map<std::string, NamedText> named_records_;  // by DocumentFile::path
  uint64_t records_ = 0, failed_ = 0;
  std::string first_fault_, first_missing_field_;  // for people
  bool is_no_json_ = false;                        // a record that failed
  bool has_document_ = false;
  std::vector<std::string> held_warnings_;
  FoundFields found_;                        // of the files that are done
  const DocumentReader* reader_ = nullptr;   // of the file that is not
  std::optional<std::string> first_fields_;  // "; the first record has …", where fields are named
  bool is_undecided_ = false;                // no batch is visited before its fields were looked at
  uint64_t bytes_before_ = 0;                // of the files that are done
  uint64_t total_bytes_ = 0;                 // 0: unknown
  const Visit* visit_ = nullptr;
  std::vector<SourceDocument> batch_;  // read and not visited yet
  size_t batch_bytes_ = 0;
  bool await_failed_ = false;                // for another reason than the file
  std::chrono::nanoseconds batch_begun_{0};  // when its first document came
};

// Returns an input that is no file or folder: standard input, or a record of a file.
Result<std::optional<DocumentFile>> DocumentBatches::State::FindListedApart(
    const std::string& path) {
  std::optional<DocumentFile> none;
  DocumentFile input{.path = path, .identity = {}};
  input.format = inputs_.format.value_or(inputs_.standard_input);
  if (path == kStandardInput) return input;
  if (!inputs_.may_name_records || environment_.files.Exists(path).value_or(false)) return none;
  ZHIWEN_ASSIGN_OR_RETURN(NamedText name, ParseNamedText(environment_.files, path, inputs_.format));
  if (!name.is_record()) return none;
  input.format =
      inputs_.format.value_or(FormatOfPath(name.path).value_or(DocumentFormat::kJsonLines));
  named_records_.emplace(path, std::move(name));
  return input;
}

Result<std::vector<DocumentFile>> DocumentBatches::State::ListInputs() {
  ZHIWEN_RETURN_IF_ERROR(CheckStandardInput(inputs_.paths, environment_));
  std::vector<std::string> named;
  std::vector<std::pair<size_t, DocumentFile>> apart;  // behind so many of `named`
  for (const std::string& path : inputs_.paths) {
    ZHIWEN_ASSIGN_OR_RETURN(std::optional<DocumentFile> input, FindListedApart(path));
    if (input) {
      apart.emplace_back(named.size(), *std::move(input));
    } else {
      named.push_back(path);
    }
  }
  const std::vector<std::string>& asked = inputs_.documents.value_fields;
  const bool asks_pictures = std::ranges::find(asked, kPictureField) != asked.end();
  const ListOptions options{.format = inputs_.format,
                            .otherwise = inputs_.otherwise,
                            .syntax = inputs_.documents.syntax,
                            .text_fields = inputs_.documents.text_fields,
                            .leave_out = inputs_.leave_out,
                            .pictures = asks_pictures ? inputs_.pictures : PictureTaking::kNone};
  ZHIWEN_ASSIGN_OR_RETURN(DocumentFiles found,
                          ListDocumentFiles(environment_.files, named, options));
  for (const std::string& warning : found.warnings) environment_.log.Warn(warning);
  for (const DocumentFile& file : found.files) total_bytes_ += file.identity.size;
  if (!apart.empty()) total_bytes_ = 0;
  for (auto& [before, input] : std::views::reverse(apart)) {
    InsertInput(std::move(input), before, found.files);
  }
  return std::move(found.files);
}

// Refuses options of fields when no input has fields that they could name, and what else no input
// has a use for.
Status DocumentBatches::State::RefuseIdleOptions(std::span<const DocumentFile> files) const {
  const auto is_text = [](const DocumentFile& file) { return IsWholeFile(file.format); };
  const auto is_document = [](const DocumentFile& file) {
    return file.format == DocumentFormat::kDocument;
  };
  const auto text = std::ranges::find_if(files, is_text);
  if (text != files.end() && !work_.no_texts.empty()) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("cannot use \"{}\": {}", NameOfInput(text->path), work_.no_texts));
  }
  const DocumentOptions& chosen = inputs_.documents;
  std::vector<DocumentFormat> formats;
  for (const DocumentFile& file : files) formats.push_back(file.format);
  ZHIWEN_RETURN_IF_ERROR(CheckSyntaxIsUsed(chosen.syntax, formats));
  std::string option;
  if (chosen.text_fields != DocumentOptions().text_fields) {
    option = inputs_.names.text_field;
  } else if (chosen.text_type) {
    option = inputs_.names.text_format;
  } else if (chosen.id_field) {
    option = inputs_.names.id_field;
  } else if (!inputs_.named_fields.empty() && std::ranges::none_of(files, is_document)) {
    option = inputs_.named_fields.front().option;
  }
  if (option.empty() || !std::ranges::all_of(files, is_text)) return {};
  return Fail(ErrorCode::kInvalidArgument,
              fmt::format("{} does nothing with texts, which have no fields (of records say {}); "
                          "leave it out",
                          option, inputs_.names.format));
}

bool DocumentBatches::State::IsByLines(const DocumentFile& file) const {
  return file.format == DocumentFormat::kText && inputs_.documents.text_files == TextFiles::kLines;
}

void DocumentBatches::State::CountFault(const DocumentFile& file, const SourceDocument& document) {
  const std::string place = document.record == 0 ? "" : fmt::format(" record {}", document.record);
  std::string fault = fmt::format("\"{}\"{}: {}: {}", NameOfInput(file.path), place, document.fault,
                                  document.fault_detail);
  if (document.fault == "too_large" && !inputs_.too_large.empty()) {
    fault += "; " + inputs_.too_large;
  } else if (IsByLines(file) && document.begin.value > 0) {
    const bool is_packed = file.compression != DocumentCompression::kNone;
    fault += fmt::format("; the lines before byte {}{} were {}", document.begin.value,
                         is_packed ? " (when decompressed)" : "", work_.done);
  }
  if (failed_ == 0) first_fault_ = fault;
  if (document.fault == "missing_field" && first_missing_field_.empty()) {
    first_missing_field_ = fault;
  }
  is_no_json_ = is_no_json_ || document.fault == "invalid_json";
  const bool may_be_text = failed_ == 0 && document.fault == "invalid_json" &&
                           file.path == kStandardInput && !inputs_.format;
  if (may_be_text) {
    fault += fmt::format("; standard input is read as records, and as one text with {} text",
                         inputs_.names.format);
  }
  if (++failed_ <= kWarnings) held_warnings_.push_back("cannot use " + fault);
}

// Bad records are told once a document was found: where none is, the error at the end says it all.
void DocumentBatches::State::TellHeldWarnings() {
  for (const std::string& warning : held_warnings_) environment_.log.Warn(warning);
  held_warnings_.clear();
}

// Returns a field that a user named and no record has, so far as `found` tells. `with_field` says
// how many have each value field.
auto DocumentBatches::State::FindLacking(const FoundFields& found,
                                         std::span<const uint64_t> with_field) const
    -> std::optional<LackingField> {
  const DocumentOptions& chosen = inputs_.documents;
  for (size_t i = 0; i < found.texts.size(); ++i) {
    if (found.texts[i] > 0) continue;
    return LackingField{"the text field", {chosen.text_fields[i], inputs_.names.text_field}};
  }
  for (size_t i = 0; i < with_field.size(); ++i) {
    const auto named =
        std::ranges::find(inputs_.named_fields, chosen.value_fields[i], &NamedField::name);
    if (with_field[i] > 0 || named == inputs_.named_fields.end()) continue;
    return LackingField{"the field", *named};
  }
  if (!chosen.id_field || found.ids > 0) return {};
  return LackingField{"the id field", {*chosen.id_field, inputs_.names.id_field}};
}

// A field that a user named and no record has is a mistake of the user.
Status DocumentBatches::State::CheckNamedFields() const {
  if (found_.documents == 0 && !first_missing_field_.empty()) {
    return Fail(ErrorCode::kNotFound,
                fmt::format("no record has the text field ({}); name it with {}",
                            first_missing_field_, inputs_.names.text_field));
  }
  if (found_.documents == 0) return {};
  const auto lacking = FindLacking(found_, found_.values);
  if (!lacking) return {};
  std::string message = fmt::format(
      "no record has {}{} \"{}\" ({}){}", lacking->what == "the field" ? "a value in " : "",
      lacking->what, lacking->field.name, lacking->field.option, first_fields_.value_or(""));
  if (!work_.keeps) return Fail(ErrorCode::kNotFound, std::move(message));
  environment_.log.Warn(message);  // what was visited stays
  return {};
}

Status DocumentBatches::State::CheckFirstBatch() {
  FoundFields found = found_;
  if (reader_ != nullptr) AddUp(found, reader_->found_fields());
  if (found.documents == 0) return {};
  const auto lacking = FindLacking(found, found.fields);
  is_undecided_ = lacking.has_value();
  if (!lacking) return {};
  return Fail(
      ErrorCode::kNotFound,
      fmt::format("{} {} \"{}\" ({}){}",
                  found.documents == 1 ? "the first record does not have"
                                       : fmt::format("none of the first {} has",
                                                     FormatPlural(found.documents, "record")),
                  lacking->what == "the id field" ? "a value in the id field" : lacking->what,
                  lacking->field.name, lacking->field.option, first_fields_.value_or("")));
}

Status DocumentBatches::State::CheckFailures() const {
  const std::string passed_over = WarningOfPassedOver(found_.passed_over);
  if (!passed_over.empty()) {
    environment_.log.Warn(passed_over);
  } else if (records_ == 0) {
    environment_.log.Warn("the inputs have no records: they are empty");
  }
  if (failed_ == 0) return {};
  if (failed_ == records_) {
    const bool may_be_text = is_no_json_ && inputs_.otherwise == DocumentFormat::kText;
    const std::string advice =
        may_be_text ? fmt::format("; if it is a text, give {} text", inputs_.names.format) : "";
    return Fail(ErrorCode::kUnreadable, fmt::format("none of {} {} has a {}; the first: {}{}",
                                                    records_, records_ == 1 ? "record" : "records",
                                                    work_.outcome, first_fault_, advice));
  }
  const std::string counted =
      fmt::format("{} of {} records have no {}", failed_, records_, work_.outcome);
  const FailureLimit& most = inputs_.max_failed;
  if (failed_ > most.Allowed(records_)) {
    const bool is_most = failed_ > records_ / 2 && most.most_share < 1;
    return Fail(ErrorCode::kUnreadable,
                fmt::format("{}, more than {}; correct them, or raise {}", counted,
                            is_most ? "half" : "are allowed", inputs_.names.max_failed));
  }
  environment_.log.Warn(counted);
  return {};
}

Result<DocumentReader> DocumentBatches::State::OpenReader(const DocumentFile& file) {
  if (file.path != kStandardInput) {
    return DocumentReader::Open(environment_.files, file, inputs_.documents);
  }
  DocumentOptions options = inputs_.documents;
  options.may_be_other = !inputs_.format;
  std::optional<ArrivingInput> arriving = environment_.arriving;
  if (arriving) {
    arriving->await = [this](std::chrono::milliseconds patience) {
      Result<bool> came = Await(patience);
      await_failed_ = !came;
      return came;
    };
  }
  return DocumentReader::Create(environment_.standard_input(), NameOfInput(file.path), file.format,
                                options, arriving);
}

// Warns of a file that looks like records and is read as a text, though nobody said so.
void DocumentBatches::State::WarnOfRecords(const DocumentFile& file, std::string_view text) const {
  if (file.format != DocumentFormat::kText || inputs_.format || FormatOfPath(file.path)) return;
  if (!LooksLikeRecords(text)) return;
  environment_.log.Warn(
      fmt::format("\"{}\" is read as a text, but its first line is JSON; if its lines are "
                  "records, give {} jsonl",
                  NameOfInput(file.path), inputs_.names.format));
}

tl::unexpected<Error> DocumentBatches::State::FailDamaged(const DocumentFile& file, Error error,
                                                          uint64_t documents) const {
  if (error.code != ErrorCode::kUnreadable) return tl::unexpected(std::move(error));
  if (documents > 0 && !work_.done.empty()) {
    const std::string what = IsByLines(file) ? "the lines" : FormatPlural(documents, "record");
    error.message += fmt::format("; {} before that {} {}", what,
                                 what.ends_with('s') ? "were" : "was", work_.done);
  }
  const bool is_packed = file.compression != DocumentCompression::kNone;
  // An error of a file that changed says so itself.
  const bool has_advice = error.message.find("run again") != std::string::npos;
  if ((is_packed || documents > 0) && !has_advice) {
    error.message += "; replace the file and run again";
  }
  return tl::unexpected(std::move(error));
}

// Waits for the next bytes of standard input. The documents that have come do not wait with it.
Result<bool> DocumentBatches::State::Await(std::chrono::milliseconds patience) {
  if (!batch_.empty()) {
    const bool is_old = environment_.clock.Monotonic() - batch_begun_ >= kOldest;
    if (!is_old) {
      ZHIWEN_ASSIGN_OR_RETURN(const bool came, environment_.arriving->await(kQuiet));
      if (came) return true;
    }
    is_undecided_ = false;  // the records that have come do not tell what follows
    ZHIWEN_RETURN_IF_ERROR(VisitBatch());
    if (work_.keeps) ZHIWEN_RETURN_IF_ERROR((*visit_)({}));
  }
  return environment_.arriving->await(patience);
}

Status DocumentBatches::State::VisitBatch() {
  if (is_undecided_) ZHIWEN_RETURN_IF_ERROR(CheckFirstBatch());
  const Status visited = (*visit_)(batch_);
  batch_.clear();
  batch_bytes_ = 0;
  return visited;
}

void DocumentBatches::State::AddToBatch(SourceDocument document) {
  if (batch_.empty()) batch_begun_ = environment_.clock.Monotonic();
  batch_bytes_ += document.text.size();
  for (const std::string& value : document.values) batch_bytes_ += value.size();
  batch_.push_back(std::move(document));
}

Status DocumentBatches::State::ReadFile(const DocumentFile& file) {
  if (const auto named = named_records_.find(file.path); named != named_records_.end()) {
    return ReadNamedRecord(file, named->second);
  }
  ZHIWEN_ASSIGN_OR_RETURN(DocumentReader reader, OpenReader(file));
  reader_ = &reader;
  uint64_t documents = 0;
  bool is_first = true;
  for (bool more = true; more;) {
    ZHIWEN_RETURN_IF_ERROR(environment_.cancellation.Check());
    Result<std::optional<SourceDocument>> read = reader.Next();
    if (!read) {
      ZHIWEN_RETURN_IF_ERROR(batch_.empty() ? Status() : VisitBatch());
      TellHeldWarnings();
      if (await_failed_) return tl::unexpected(std::move(read).error());
      return FailDamaged(file, std::move(read).error(), documents);
    }
    std::optional<SourceDocument> next = *std::move(read);
    more = next.has_value();
    if (more && next->fault.empty() && work_.check) ZHIWEN_RETURN_IF_ERROR(work_.check(*next));
    records_ += more && (is_first || !IsByLines(file)) ? 1 : 0;
    if (more && !next->fault.empty()) {
      CountFault(file, *next);
      more = !IsByLines(file);
    } else if (more) {
      if (is_first) WarnOfRecords(file, next->text);
      has_document_ = true;
      ++documents;
      if (names_fields_ && !first_fields_ && next->record != 0) {
        first_fields_ = reader.DescribeFields();
      }
      AddToBatch(*std::move(next));
    }
    is_first = false;
    if (has_document_) TellHeldWarnings();
    const bool is_full = batch_.size() >= kBatchDocuments || batch_bytes_ >= kBatchBytes;
    if (is_full || (!more && !is_undecided_)) {
      ZHIWEN_RETURN_IF_ERROR(VisitBatch());
      environment_.progress.Advance(work_.stage, bytes_before_ + reader.bytes_read(), total_bytes_);
    }
  }
  bytes_before_ += reader.bytes_read();
  reader_ = nullptr;
  AddUp(found_, reader.found_fields());
  return {};
}

Status DocumentBatches::State::ReadNamedRecord(const DocumentFile& file, const NamedText& name) {
  ZHIWEN_ASSIGN_OR_RETURN(SourceDocument record,
                          ReadRecord(environment_.files, name, inputs_.documents, inputs_.format,
                                     environment_.cancellation));
  ++records_;
  if (record.fault.empty() && work_.check) ZHIWEN_RETURN_IF_ERROR(work_.check(record));
  if (!record.fault.empty()) {
    CountFault(file, record);
    return {};
  }
  FoundFields found = {.documents = 1, .ids = 1};
  for (const std::string& value : record.values) found.values.push_back(value.empty() ? 0 : 1);
  found.fields = found.values;
  AddUp(found_, found);
  has_document_ = true;
  AddToBatch(std::move(record));
  TellHeldWarnings();
  return VisitBatch();
}

Status DocumentBatches::State::Prepare() {
  if (listed_) return {};
  ZHIWEN_ASSIGN_OR_RETURN(listed_, ListInputs());
  return RefuseIdleOptions(*listed_);
}

Status DocumentBatches::State::ForEach(const Visit& visit) {
  ZHIWEN_RETURN_IF_ERROR(Prepare());
  visit_ = &visit;
  is_undecided_ = work_.keeps && names_fields_;
  for (const DocumentFile& file : *listed_) ZHIWEN_RETURN_IF_ERROR(ReadFile(file));
  if (is_undecided_) ZHIWEN_RETURN_IF_ERROR(VisitBatch());
  if (const std::string warning = WarningOfHtml(found_); !warning.empty()) {
    environment_.log.Warn(warning);
  }
  if (const std::string warning = WarningOfDecodingErrors(found_.decoding_errors);
      !warning.empty()) {
    environment_.log.Warn(warning);
  }
  ZHIWEN_RETURN_IF_ERROR(CheckNamedFields());
  return CheckFailures();
}

DocumentBatches::DocumentBatches(DocumentInputs inputs, DocumentWork work,
                                 const BatchEnvironment& environment)
    : state_(std::make_unique<State>(std::move(inputs), std::move(work), environment)) {}
DocumentBatches::~DocumentBatches() = default;

Status DocumentBatches::Prepare() { return state_->Prepare(); }
Status DocumentBatches::ForEach(const Visit& visit) { return state_->ForEach(visit); }
size_t DocumentBatches::files() const { return state_->files(); }
bool DocumentBatches::is_one_document() const { return state_->is_one_document(); }
const FoundFields& DocumentBatches::found() const { return state_->found(); }

}  // namespace zhiwen
