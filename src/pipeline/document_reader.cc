#include <algorithm>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "base/utf8/transcoder.h"
#include "base/utf8/utf8.h"
#include "document/html_notice.h"
#include "pipeline/reader/document_input.h"
#include "zhiwen/documents.h"
#include "zhiwen/figures.h"

namespace zhiwen {
namespace {

// Texts of a file that are looked at for HTML.
constexpr uint64_t kTextsLookedAt = 1000;

BlockOptions ToBlockOptions(const DocumentOptions& options) {
  BlockOptions out{.max_record_bytes = options.max_record_bytes};
  out.texts_by_lines = options.text_files == TextFiles::kLines;
  out.fields.mends_texts = !out.texts_by_lines;  // lines before a bad byte are a piece there
  out.fields.text = options.text_fields;
  if (options.id_field) out.fields.id = *options.id_field;
  out.fields.policy = options.value_fields;
  out.fields.joins_lists = true;
  out.fields.text_type = options.text_type;
  out.fields.max_extracted_bytes = std::min(options.max_record_bytes, kMostCaptureBytes);
  return out;
}

bool IsOfBytes(RecordFault::Reason reason) {
  return reason == RecordFault::Reason::kInvalidUtf8 ||
         reason == RecordFault::Reason::kInvalidEncoding;
}

// The lines at the front of `bytes` that have their line end.
std::string_view WholeLines(std::string_view bytes, TextEncoding encoding) {
  if (!IsUtf16(encoding)) return bytes.substr(0, bytes.rfind('\n') + 1);
  std::string units;
  ProjectUtf16(bytes, encoding, units);
  return bytes.substr(0, (units.rfind('\n') + 1) * 2);
}

}  // namespace

struct DocumentReader::State {
  State(BlockParser block_parser, const BlockOptions& options)
      : parser(std::move(block_parser)), values(options.fields.policy.size()) {
    found.values.resize(values);
    found.fields.resize(values);
  }

  Status ReadBlock();
  void Take(const BlockRecord& record, const ParsedRecord& parsed);
  SourceDocument Describe(const BlockRecord& record, const ParsedRecord& parsed);
  void CountFields(const Document& document);

  std::string name;  // of the file, for ids: a text, which a path need not be
  std::unique_ptr<FileBlocks> blocks;
  BlockParser parser;
  size_t values;  // of a document
  RecordBlock block;
  FoundFields found;
  std::vector<SourceDocument> documents;  // of the block; those before `next` are handed out
  size_t next = 0;
  uint64_t records = 0;
  bool by_lines = false;  // a text
  bool at_end = false;
};

void DocumentReader::State::CountFields(const Document& document) {
  ++found.documents;
  found.ids += document.id ? 1 : 0;
  found.texts.resize(std::max(found.texts.size(), document.found_texts.size()));
  for (size_t i = 0; i < document.found_texts.size(); ++i) {
    found.texts[i] += document.found_texts[i];
  }
  for (size_t i = 0; i < values; ++i) {
    found.values[i] += document.policy[i] ? 1 : 0;
    found.fields[i] += document.found_policy[i];
  }
}

// What is a whole file is called by it; a record without an id by its file and number.
SourceDocument DocumentReader::State::Describe(const BlockRecord& record,
                                               const ParsedRecord& parsed) {
  SourceDocument out;
  const bool is_text = block.format == RecordFormat::kText;
  const bool is_whole = IsWholeFile(block.format);
  if (is_text) out.begin = {record.offset};
  if (!is_whole) out.record = ++records;
  out.id = is_whole ? name : fmt::format("{}:{}", name, out.record);
  if (const auto* fault = std::get_if<RecordFault>(&parsed)) {
    out.fault = RecordFaultName(fault->reason);
    out.fault_detail = fault->message;
    return out;
  }
  const Document& document = std::get<Document>(parsed);
  if (!is_text) CountFields(document);
  found.decoding_errors.texts += document.decoding_errors > 0 ? 1 : 0;
  found.decoding_errors.places += document.decoding_errors;
  if (found.looked_at < kTextsLookedAt && !IsExtracted(block.format)) {
    ++found.looked_at;
    found.html += LooksLikeHtml(document.text) ? 1 : 0;
  }
  out.text = document.text;
  out.values.reserve(values);
  for (const auto& value : document.policy) out.values.emplace_back(value.value_or(""));
  if (is_text && record.offset == 0) out.begin = {LeadingMark(record.bytes).size()};
  if (document.id) out.id = *document.id;
  return out;
}

// Of lines of a text, those before the one with a byte that cannot be decoded are a document.
void DocumentReader::State::Take(const BlockRecord& record, const ParsedRecord& parsed) {
  const auto* fault = std::get_if<RecordFault>(&parsed);
  BlockRecord rest = record;
  if (by_lines && fault != nullptr && IsOfBytes(fault->reason)) {
    const RecordFault kept = *fault;
    BlockRecord lines = record;
    lines.bytes = WholeLines(record.bytes.substr(0, parser.FindUndecodable(block, record.bytes)),
                             block.head->encoding);
    rest.offset += lines.bytes.size();
    if (!lines.bytes.empty()) documents.push_back(Describe(lines, parser.Parse(block, lines)));
    documents.push_back(Describe(rest, kept));
    return;
  }
  const auto* document = std::get_if<Document>(&parsed);
  const bool is_passed_over = document != nullptr && !document->no_document.empty();
  if (is_passed_over) {
    ++records;
    ++found.passed_over[std::string(document->no_document)];
  } else {
    documents.push_back(Describe(rest, parsed));
  }
}

Status DocumentReader::State::ReadBlock() {
  documents.clear();
  next = 0;
  ZHIWEN_ASSIGN_OR_RETURN(const bool more, blocks->Next(block));
  at_end = !more;
  if (at_end) return {};
  parser.ParseAll(
      block, [this](const BlockRecord& record, ParsedRecord&& parsed) { Take(record, parsed); });
  return {};
}

DocumentReader::DocumentReader(std::unique_ptr<State> state) : state_(std::move(state)) {}
DocumentReader::~DocumentReader() = default;
DocumentReader::DocumentReader(DocumentReader&&) noexcept = default;
DocumentReader& DocumentReader::operator=(DocumentReader&&) noexcept = default;

Result<DocumentReader> DocumentReader::Open(FileSystem& files, const DocumentFile& file,
                                            const DocumentOptions& options) {
  const BlockOptions block_options = ToBlockOptions(options);
  ZHIWEN_ASSIGN_OR_RETURN(BlockParser parser, BlockParser::Create(block_options.fields));
  auto state = std::make_unique<State>(std::move(parser), block_options);
  state->name = ReplaceBrokenUtf8(file.path);
  state->by_lines = block_options.texts_by_lines && file.format == DocumentFormat::kText;
  ZHIWEN_ASSIGN_OR_RETURN(state->blocks,
                          OpenFileBlocks(files, ToInputFile(file), 0, block_options));
  return DocumentReader(std::move(state));
}

Result<DocumentReader> DocumentReader::Create(std::unique_ptr<ReadableFile> file, std::string name,
                                              DocumentFormat format, const DocumentOptions& options,
                                              const std::optional<ArrivingInput>& arriving) {
  BlockOptions block_options = ToBlockOptions(options);
  block_options.arriving = arriving;
  ZHIWEN_ASSIGN_OR_RETURN(BlockParser parser, BlockParser::Create(block_options.fields));
  auto state = std::make_unique<State>(std::move(parser), block_options);
  state->name = ReplaceBrokenUtf8(name);
  state->by_lines = block_options.texts_by_lines && format == DocumentFormat::kText;
  const OpenedInput input{.name = std::move(name),
                          .format = format,
                          .syntax = options.syntax,
                          .may_be_other = options.may_be_other};
  ZHIWEN_ASSIGN_OR_RETURN(state->blocks, OpenUnlistedBlocks(std::move(file), input, block_options));
  return DocumentReader(std::move(state));
}

Result<std::optional<SourceDocument>> DocumentReader::Next() {
  State& state = *state_;
  while (state.next == state.documents.size()) {
    if (state.at_end) return std::optional<SourceDocument>();
    ZHIWEN_RETURN_IF_ERROR(state.ReadBlock());
  }
  return std::optional(std::move(state.documents[state.next++]));
}

const FoundFields& DocumentReader::found_fields() const { return state_->found; }

std::string DocumentReader::DescribeFields() const { return zhiwen::DescribeFields(state_->block); }

std::string WarningOfHtml(const FoundFields& found) {
  const HtmlCount count{found.looked_at, found.html};
  return count.is_notable() ? HtmlWarning(count) : std::string();
}

std::string WarningOfPassedOver(const PassedOverCaptures& passed_over) {
  if (passed_over.empty()) return "";
  uint64_t all = 0;
  std::string list;
  for (const auto& [what, count] : passed_over) {
    all += count;
    list += fmt::format("{}{} ({})", list.empty() ? "" : ", ", what, FormatCount(count));
  }
  return fmt::format("passed over {} that {} no document{}: {}", FormatPlural(all, "record"),
                     all == 1 ? "is" : "are", all == 1 ? "" : "s", list);
}

std::string WarningOfDecodingErrors(const DecodingErrors& errors) {
  if (errors.texts == 0) return "";
  return fmt::format("{} of {} cannot be decoded; U+FFFD stands for {}, and files stay as they are",
                     FormatPlural(errors.places, "place"), FormatPlural(errors.texts, "text"),
                     errors.places == 1 ? "it" : "each");
}

bool LooksLikeRecords(std::string_view text) {
  const std::string_view line = text.substr(0, text.find_first_of("\r\n"));
  return line.starts_with("{\"") && line.ends_with('}');
}

uint64_t DocumentReader::bytes_read() const { return state_->blocks->file_bytes_read(); }

}  // namespace zhiwen
