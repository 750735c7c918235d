#include "zhiwen/extract_files.h"

#include <algorithm>
#include <memory>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/hash.h"
#include "base/json/json_writer.h"
#include "pipeline/batches/draw_body_tree.h"
#include "pipeline/batches/extract_output.h"
#include "pipeline/batches/input_paths.h"
#include "pipeline/reader/capture_document.h"
#include "pipeline/reader/document_input.h"
#include "pipeline/reader/record_blocks.h"
#include "zhiwen/figures.h"
#include "zhiwen/version.h"

namespace zhiwen {
namespace {

constexpr size_t kBytesAtOnce = size_t{32} << 20;
constexpr size_t kBlocksPerThread = 16;
constexpr size_t kLargeBuffer = size_t{1} << 20;  // is given back
constexpr uint64_t kWarnedFaults = 10;            // documents that failed and are named one by one

bool IsStop(ErrorCode code) {
  return code == ErrorCode::kInterrupted || code == ErrorCode::kTerminated;
}

bool IsJsonForm(ExtractForm form) {
  return form != ExtractForm::kText && form != ExtractForm::kTree;
}

RecordFields FieldsOf(const ExtractFilesOptions& options) {
  RecordFields fields;
  fields.text = options.documents.text_fields;
  if (options.documents.id_field) fields.id = *options.documents.id_field;
  return fields;
}

std::string FailedToJson(const ExtractedFrom& from, std::string_view reason,
                         std::string_view message) {
  std::string line;
  JsonWriter json(line);
  json.BeginObject().Key("id").String(from.id);
  json.Key("source").BeginObject().Key("file").String(from.file);
  if (from.record) json.Key("record").Unsigned(*from.record);
  json.EndObject();
  json.Key("failed").BeginObject().Key("reason").String(reason);
  json.Key("message").String(message).EndObject().EndObject();
  return line;
}

// What came of a document.
struct DocumentOutput {
  std::string text;   // or the line
  std::string fault;  // for people; empty: it was read
  bool is_empty = false;
};

// Some records of a file, and what came of them.
struct BlockWork {
  size_t file = 0;
  uint64_t first_record = 0;  // the number of the first one in the file, from 0
  RecordBlock block;
  std::optional<Error> failed_file;  // instead of a block: the rest of the file cannot be read
  std::vector<DocumentOutput> outputs;
  PassedOverCaptures passed_over;
};

// Extracts the documents of blocks; one for each thread.
class BlockExtractor {
 public:
  static Result<BlockExtractor> Create(const ExtractFilesOptions& options) {
    ZHIWEN_ASSIGN_OR_RETURN(BlockParser parser, BlockParser::Create(FieldsOf(options)));
    return BlockExtractor(options, std::move(parser));
  }

  void Extract(const std::string& file, BlockWork& work);

 private:
  BlockExtractor(const ExtractFilesOptions& options, BlockParser parser)
      : options_(options), parser_(std::move(parser)) {}

  void ExtractWholeFile(const std::string& file, BlockWork& work);
  void ExtractRecords(const std::string& file, BlockWork& work);
  void ExtractCaptures(const std::string& file, BlockWork& work);
  void Add(const ExtractedFrom& from, Result<ExtractedDocument> document, BlockWork& work) const;
  void AddFailed(const ExtractedFrom& from, std::string_view reason, const std::string& message,
                 BlockWork& work) const;
  bool is_json() const { return IsJsonForm(options_.form); }

  const ExtractFilesOptions& options_;
  BlockParser parser_;
};

void BlockExtractor::AddFailed(const ExtractedFrom& from, std::string_view reason,
                               const std::string& message, BlockWork& work) const {
  DocumentOutput& output = work.outputs.emplace_back();
  const std::string place = from.record ? fmt::format(" record {}", *from.record) : "";
  output.fault = fmt::format("cannot read \"{}\"{}: {}", from.file, place, message);
  if (is_json()) output.text = FailedToJson(from, reason, message);
}

void BlockExtractor::Add(const ExtractedFrom& from, Result<ExtractedDocument> document,
                         BlockWork& work) const {
  if (!document) {
    return AddFailed(from, TraitsOf(document.error().code).name, document.error().message, work);
  }
  DocumentOutput& output = work.outputs.emplace_back();
  output.is_empty = document->kind == ExtractedKind::kEmpty;
  switch (options_.form) {
    case ExtractForm::kText:
      output.text = std::move(document->text);
      break;
    case ExtractForm::kTree:
      output.text = DrawBodyTree(MakeBodyTree(*document), document->text, options_.columns);
      break;
    case ExtractForm::kJson:
      output.text = ExtractedToJson(from, *document, ShownBlocks::kLeaveOut);
      break;
    case ExtractForm::kBlocks:
      output.text = ExtractedToJson(from, *document, ShownBlocks::kShow);
      break;
    case ExtractForm::kTreeJson:
      output.text = ExtractedToJson(from, *document, ShownBlocks::kTree);
      break;
  }
}

void BlockExtractor::ExtractWholeFile(const std::string& file, BlockWork& work) {
  const RecordHead& head = *work.block.head;
  DocumentHints hints = head.hints;
  if (work.block.format == RecordFormat::kText) {
    hints = {.type = DocumentType::kText, .asked_encoding = head.encoding};
  }
  if (options_.documents.text_type) hints.type = options_.documents.text_type;
  const ExtractedFrom from{.id = file, .file = file};
  if (!work.block.oversized) return Add(from, ExtractDocument(work.block.bytes, hints), work);
  AddFailed(from, "exhausted", "the file is larger than a document may be", work);
}

void BlockExtractor::ExtractRecords(const std::string& file, BlockWork& work) {
  uint64_t record = work.first_record;
  parser_.ParseAll(work.block, [&](const BlockRecord&, ParsedRecord&& parsed) {
    std::string id = fmt::format("{}:{}", file, ++record);
    ExtractedFrom from{.id = id, .file = file, .record = record};
    if (const auto* fault = std::get_if<RecordFault>(&parsed)) {
      return AddFailed(from, RecordFaultName(fault->reason), fault->message, work);
    }
    const auto& document = std::get<Document>(parsed);
    if (document.id) from.id = id = *document.id;
    Add(from,
        ExtractDocument(document.text, {.type = options_.documents.text_type,
                                        .asked_encoding = TextEncoding::kUtf8}),
        work);
  });
}

void BlockExtractor::ExtractCaptures(const std::string& file, BlockWork& work) {
  uint64_t record = work.first_record;
  SplitRecords(work.block, [&](const BlockRecord& group) {
    const std::string place = fmt::format("{}:{}", file, ++record);
    ExtractedFrom from{.id = place, .file = file, .record = record};
    if (work.block.oversized) {
      return AddFailed(from, "exhausted", "the capture is larger than a document may be", work);
    }
    Result<CaptureDocument> capture = ExtractCapture(group.bytes, work.block.head->hints);
    if (!capture) {
      return Add(from, tl::unexpected<Error>(std::move(capture).error()), work);
    }
    if (!capture->no_document.empty()) {
      ++work.passed_over[capture->no_document];
      return;
    }
    const std::string url = capture->document.url;
    if (!url.empty()) from.id = url;
    from.record_id = capture->record_id;
    from.captured = capture->captured;
    Add(from, std::move(capture->document), work);
  });
}

void BlockExtractor::Extract(const std::string& file, BlockWork& work) {
  work.outputs.clear();
  work.passed_over.clear();
  if (work.failed_file) {
    const Error& error = *work.failed_file;
    AddFailed({.id = file, .file = file}, TraitsOf(error.code).name, error.message, work);
    work.outputs.back().fault = error.message;
  } else if (IsWholeFile(work.block.format)) {
    ExtractWholeFile(file, work);
  } else if (work.block.format == RecordFormat::kWarc) {
    ExtractCaptures(file, work);
  } else {
    ExtractRecords(file, work);
  }
}

// The blocks of all inputs, one file after another.
class InputBlocks {
 public:
  InputBlocks(const ExtractFilesOptions& options, const BatchEnvironment& environment)
      : options_(options), environment_(environment) {}

  // Looks at all inputs.
  Status List();
  const std::vector<DocumentFile>& files() const { return files_; }
  // Files that cannot be what their names say.
  const std::vector<LeftOutFile>& left_out() const { return left_out_; }

  // Passes over the first inputs.
  void Skip(uint64_t inputs) { file_ = static_cast<size_t>(inputs); }

  // A hash of what the inputs are: their names, sizes and times.
  uint64_t Hash() const;

  // Gives the next block, or the failure of a file; false at the end.
  Result<bool> Next(BlockWork& work);

  uint64_t bytes_read() const {
    return bytes_before_ + (blocks_ == nullptr ? 0 : blocks_->file_bytes_read());
  }
  uint64_t total_bytes() const { return total_bytes_; }

 private:
  Result<std::unique_ptr<FileBlocks>> Open(const DocumentFile& file) const;
  Result<bool> ReadBlock(BlockWork& work);

  const ExtractFilesOptions& options_;
  const BatchEnvironment& environment_;
  std::vector<DocumentFile> files_;
  std::vector<LeftOutFile> left_out_;
  size_t file_ = 0;
  std::unique_ptr<FileBlocks> blocks_;  // of file_
  uint64_t records_ = 0;                // of its earlier blocks
  uint64_t bytes_before_ = 0, total_bytes_ = 0;
};

Status InputBlocks::List() {
  ZHIWEN_RETURN_IF_ERROR(CheckStandardInput(options_.paths, environment_));
  std::vector<std::string> named = options_.paths;
  const auto standard_input = std::ranges::find(named, kStandardInput);
  const auto place = static_cast<size_t>(standard_input - named.begin());
  const bool has_standard_input = standard_input != named.end();
  if (has_standard_input) named.erase(standard_input);
  const bool has_earlier =
      !options_.output.empty() && environment_.files.Exists(options_.output).value_or(false);
  const std::string earlier_output = has_earlier ? options_.output : "";
  ZHIWEN_ASSIGN_OR_RETURN(DocumentFiles listed,
                          ListDocumentFiles(environment_.files, named,
                                            {.format = options_.format,
                                             .otherwise = DocumentFormat::kDocument,
                                             .damaged = DamagedBeginning::kList,
                                             .syntax = options_.documents.syntax,
                                             .text_fields = options_.documents.text_fields,
                                             .leave_out = earlier_output,
                                             .folders = FolderTaking::kRecordsAndFiles}));
  for (const std::string& warning : listed.warnings) environment_.log.Warn(warning);
  left_out_ = std::move(listed.left_out);
  for (const DocumentFile& file : listed.files) total_bytes_ += file.identity.size;
  files_ = std::move(listed.files);
  if (!has_standard_input) return {};
  total_bytes_ = 0;
  InsertInput({.path = std::string(kStandardInput),
               .format = options_.format.value_or(DocumentFormat::kDocument),
               .syntax = options_.documents.syntax},
              place, files_);
  return {};
}

uint64_t InputBlocks::Hash() const {
  StreamHash64 hash;
  for (const DocumentFile& file : files_) {
    hash.Add(fmt::format("{}\n{} {} {} {} {}\n", file.path, file.identity.size,
                         file.identity.modified_nanoseconds, file.identity.device,
                         file.identity.inode, static_cast<int>(file.format)));
  }
  return hash.Finish();
}

Result<std::unique_ptr<FileBlocks>> InputBlocks::Open(const DocumentFile& file) const {
  BlockOptions options{.max_record_bytes = kMostDocumentBytes};
  options.fields = FieldsOf(options_);
  if (file.path != kStandardInput) {
    return OpenFileBlocks(environment_.files, ToInputFile(file), 0, options);
  }
  return OpenUnlistedBlocks(environment_.standard_input(),
                            {.name = NameOfInput(file.path),
                             .format = file.format,
                             .syntax = file.syntax,
                             .may_be_other = !options_.format},
                            options);
}

Result<bool> InputBlocks::ReadBlock(BlockWork& work) {
  if (blocks_ == nullptr) {
    ZHIWEN_ASSIGN_OR_RETURN(blocks_, Open(files_[file_]));
    records_ = 0;
  }
  ZHIWEN_ASSIGN_OR_RETURN(const bool more, blocks_->Next(work.block));
  if (!more) return false;
  work.first_record = records_;
  if (work.block.format == RecordFormat::kParquet) {
    records_ += work.block.length;
  } else {
    SplitRecords(work.block, [this](const BlockRecord&) { ++records_; });
  }
  return true;
}

Result<bool> InputBlocks::Next(BlockWork& work) {
  work.failed_file.reset();
  for (; file_ < files_.size(); ++file_, blocks_ = nullptr) {
    work.file = file_;
    Result<bool> more = ReadBlock(work);
    if (more && *more) return true;
    if (blocks_ != nullptr) bytes_before_ += blocks_->file_bytes_read();
    if (more) continue;
    const ErrorCode code = more.error().code;
    if (IsStop(code) || code == ErrorCode::kExhausted || code == ErrorCode::kInternal) return more;
    work.failed_file = std::move(more).error();
    ++file_;
    blocks_ = nullptr;
    return true;
  }
  return false;
}

class FileExtraction {
 public:
  FileExtraction(const ExtractFilesOptions& options, const TextSink& sink,
                 const BatchEnvironment& environment)
      : options_(options), sink_(sink), environment_(environment), inputs_(options, environment) {}

  Result<ExtractedFiles> RunToEnd();

 private:
  Result<ExtractedFiles> Run();
  Status Prepare();
  Status OpenOutput();
  uint64_t HashParameters() const;
  Status EndInputs(size_t before);
  Result<size_t> ReadBatch();
  void ExtractBatch(size_t count);
  Status TakeLeftOut();
  Status Take(BlockWork& work);
  Status Write(const std::string& text);
  std::string Written() const;
  Status Finish() const;

  const ExtractFilesOptions& options_;
  const TextSink& sink_;
  const BatchEnvironment& environment_;
  InputBlocks inputs_;
  std::vector<BlockWork> works_;
  std::vector<BlockExtractor> extractors_;  // one for each slice of a batch
  std::unique_ptr<ExtractOutput> output_;
  size_t ended_ = 0;  // inputs whose documents were all taken
  ExtractedFiles counts_;
  std::string first_fault_;
  PassedOverCaptures passed_over_;
  bool has_text_ = false;
};

Status FileExtraction::Prepare() {
  ZHIWEN_RETURN_IF_ERROR(inputs_.List());
  counts_.files = inputs_.files().size();
  works_.resize(kBlocksPerThread * environment_.executor.concurrency());
  for (size_t i = 0; i < works_.size(); ++i) {
    ZHIWEN_ASSIGN_OR_RETURN(BlockExtractor extractor, BlockExtractor::Create(options_));
    extractors_.push_back(std::move(extractor));
  }
  return options_.output.empty() ? Status() : OpenOutput();
}

Status FileExtraction::OpenOutput() {
  const bool has_standard_input =
      std::ranges::find(options_.paths, kStandardInput) != options_.paths.end();
  if (options_.resume && has_standard_input) {
    return Fail(ErrorCode::kInvalidArgument,
                "a run that reads standard input cannot be resumed; name files");
  }
  ZHIWEN_ASSIGN_OR_RETURN(
      output_, ExtractOutput::Create(environment_.files, {.path = options_.output,
                                                          .overwrite = options_.overwrite,
                                                          .resume = options_.resume,
                                                          .parameters = HashParameters()}));
  const ExtractProgress& progress = output_->progress();
  inputs_.Skip(progress.inputs);
  ended_ = static_cast<size_t>(progress.inputs);
  const uint64_t files = std::exchange(counts_, progress.counts).files;
  counts_.files = files;
  return {};
}

// Of all that decides the lines.
uint64_t FileExtraction::HashParameters() const {
  const DocumentOptions& documents = options_.documents;
  const std::optional<TextEncoding> encoding = documents.syntax.encoding;
  return HashBytes64(
      fmt::format("{} {} {} {} {} {} {}", Version(), inputs_.Hash(),
                  fmt::join(documents.text_fields, "\n"), documents.id_field.value_or(""),
                  documents.text_type ? DocumentTypeName(*documents.text_type) : "",
                  static_cast<int>(options_.form), encoding ? TextEncodingName(*encoding) : ""));
}

Result<size_t> FileExtraction::ReadBatch() {
  size_t count = 0, bytes = 0;
  while (count < works_.size() && bytes < kBytesAtOnce) {
    ZHIWEN_RETURN_IF_ERROR(environment_.cancellation.Check());
    ZHIWEN_ASSIGN_OR_RETURN(const bool more, inputs_.Next(works_[count]));
    if (!more) break;
    bytes += works_[count].failed_file ? 0 : works_[count].block.held_bytes();
    ++count;
  }
  return count;
}

void FileExtraction::ExtractBatch(size_t count) {
  ParallelFor(environment_.executor, count, 1, [&](size_t from, size_t to) {
    for (size_t i = from; i < to && !environment_.cancellation.requested(); ++i) {
      extractors_[i].Extract(NameOfInput(inputs_.files()[works_[i].file].path), works_[i]);
    }
  });
}

Status FileExtraction::Write(const std::string& text) {
  if (!IsJsonForm(options_.form)) {
    if (text.empty()) return {};
    if (std::exchange(has_text_, true)) ZHIWEN_RETURN_IF_ERROR(sink_("\n"));
    return sink_(text + '\n');
  }
  return output_ != nullptr ? output_->Add(text + '\n') : sink_(text + '\n');
}

// The inputs before `before` have ended.
Status FileExtraction::EndInputs(size_t before) {
  for (; ended_ < before; ++ended_) {
    if (output_ != nullptr) ZHIWEN_RETURN_IF_ERROR(output_->EndInput(counts_));
  }
  return {};
}

// Files that were found to be unreadable before the first one was read.
Status FileExtraction::TakeLeftOut() {
  for (const LeftOutFile& file : inputs_.left_out()) {
    ++counts_.documents;
    if (counts_.failed++ == 0) first_fault_ = file.why;
    if (!inputs_.files().empty()) environment_.log.Warn(file.why);
    if (IsJsonForm(options_.form)) {
      ZHIWEN_RETURN_IF_ERROR(
          Write(FailedToJson({.id = file.path, .file = file.path}, "unreadable", file.why)));
    }
  }
  return {};
}

Status FileExtraction::Take(BlockWork& work) {
  ZHIWEN_RETURN_IF_ERROR(EndInputs(work.file));
  for (const auto& [what, count] : work.passed_over) passed_over_[what] += count;
  for (const DocumentOutput& output : work.outputs) {
    ++counts_.documents;
    counts_.empty += output.is_empty ? 1 : 0;
    if (!output.fault.empty()) {
      if (counts_.failed++ == 0) first_fault_ = output.fault;
      // Of one document the error at the end says it all.
      const bool is_one = inputs_.files().size() == 1 &&
                          (work.failed_file || IsWholeFile(work.block.format)) &&
                          counts_.documents == 1;
      if (counts_.failed <= kWarnedFaults && !is_one) {
        environment_.log.Warn(output.fault);
      }
    }
    ZHIWEN_RETURN_IF_ERROR(Write(output.text));
  }
  work.outputs.clear();
  if (work.block.buffer.size() > kLargeBuffer) std::vector<char>().swap(work.block.buffer);
  return {};
}

// Where the output is, for an error that comes behind it.
std::string FileExtraction::Written() const {
  return output_ == nullptr ? "" : fmt::format("; \"{}\" is written", options_.output);
}

Status FileExtraction::Finish() const {
  if (const std::string warning = WarningOfPassedOver(passed_over_); !warning.empty()) {
    environment_.log.Warn(warning);
  }
  if (counts_.empty > 0 && !IsJsonForm(options_.form)) {
    environment_.log.Warn(counts_.documents == 1
                              ? "the document has no text"
                              : fmt::format("{} of {} have no text", FormatCount(counts_.empty),
                                            FormatPlural(counts_.documents, "document")));
  }
  if (counts_.failed == 0) return {};
  if (counts_.failed == counts_.documents && !first_fault_.empty()) {
    return Fail(ErrorCode::kUnreadable,
                counts_.documents == 1 ? first_fault_
                                       : fmt::format("none of {} could be read; the first: {}{}",
                                                     FormatPlural(counts_.documents, "document"),
                                                     first_fault_, Written()));
  }
  std::string counted = fmt::format("{} of {} could not be read", FormatCount(counts_.failed),
                                    FormatPlural(counts_.documents, "document"));
  if (counts_.failed > options_.max_failed.Allowed(counts_.documents)) {
    return Fail(ErrorCode::kUnreadable,
                fmt::format("{}, more than are allowed; the first: {}; raise {} to allow them{}",
                            counted, first_fault_, options_.names.max_failed, Written()));
  }
  environment_.log.Warn(counted);
  return {};
}

Result<ExtractedFiles> FileExtraction::Run() {
  ZHIWEN_RETURN_IF_ERROR(Prepare());
  if (counts_.documents == 0) ZHIWEN_RETURN_IF_ERROR(TakeLeftOut());
  while (true) {
    ZHIWEN_ASSIGN_OR_RETURN(const size_t count, ReadBatch());
    if (count == 0) break;
    ExtractBatch(count);
    ZHIWEN_RETURN_IF_ERROR(environment_.cancellation.Check());
    for (size_t i = 0; i < count; ++i) ZHIWEN_RETURN_IF_ERROR(Take(works_[i]));
    environment_.progress.Advance(Stage::kExtract, inputs_.bytes_read(), inputs_.total_bytes());
  }
  ZHIWEN_RETURN_IF_ERROR(EndInputs(inputs_.files().size()));
  if (output_ != nullptr) ZHIWEN_RETURN_IF_ERROR(output_->Publish());
  ZHIWEN_RETURN_IF_ERROR(Finish());
  return counts_;
}

// Says what a run that was stopped leaves.
Result<ExtractedFiles> FileExtraction::RunToEnd() {
  Result<ExtractedFiles> done = Run();
  if (done || output_ == nullptr || output_->progress().inputs == 0) return done;
  Error error = std::move(done).error();
  if (!IsStop(error.code)) return tl::unexpected(std::move(error));
  error.message += fmt::format("; the texts of the first {} are kept in \"{}.partial\"",
                               FormatPlural(output_->progress().inputs, "input"), options_.output);
  error.advice.push_back(Advice::kResume);
  return tl::unexpected(std::move(error));
}

}  // namespace

Result<ExtractedFiles> ExtractFiles(const ExtractFilesOptions& options, const TextSink& sink,
                                    const BatchEnvironment& environment) {
  return FileExtraction(options, sink, environment).RunToEnd();
}

}  // namespace zhiwen
