#include "pipeline/extract/block_extractor.h"

#include <fmt/format.h>

#include "base/json/json_writer.h"
#include "pipeline/extract/draw_body_tree.h"
#include "pipeline/reader/capture_document.h"
#include "pipeline/reader/extracted_records.h"
#include "pipeline/reader/member_document.h"
#include "zhiwen/picture.h"

namespace zhiwen {

bool IsJsonForm(ExtractForm form) {
  return form != ExtractForm::kText && form != ExtractForm::kTree;
}

RecordFields FieldsOf(const ExtractFilesOptions& options) {
  RecordFields fields;
  fields.text = options.documents.text_fields;
  if (options.documents.id_field) fields.id = *options.documents.id_field;
  fields.policy = {"url"};  // of documents that do not say theirs
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

void BlockExtractor::AddFailed(const ExtractedFrom& from, std::string_view reason,
                               const std::string& message, BlockWork& work) const {
  if (learns_) return;
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
  if (learns_) {
    work.pages.push_back(MakeSitePage(SiteOf(document->url, from.file), *document));
    return;
  }
  DocumentOutput& output = work.outputs.emplace_back();
  std::vector<DroppedLine> dropped;
  if (templates_ != nullptr) {
    dropped = templates_->DropFrom(SiteOf(document->url, from.file), *document);
  }
  output.dropped = dropped.size();
  output.is_recognized = !from.recognized.empty();
  output.is_empty = document->kind == ExtractedKind::kEmpty;
  switch (options_.form) {
    case ExtractForm::kText:
      output.text = std::move(document->text);
      break;
    case ExtractForm::kTree:
      output.text = DrawBodyTree(MakeBodyTree(*document), document->text, options_.columns);
      break;
    case ExtractForm::kJson:
      output.text = ExtractedToJson(from, *document, ShownBlocks::kLeaveOut, dropped);
      break;
    case ExtractForm::kBlocks:
      output.text = ExtractedToJson(from, *document, ShownBlocks::kShow, dropped);
      break;
    case ExtractForm::kTreeJson:
      output.text = ExtractedToJson(from, *document, ShownBlocks::kTree, dropped);
      break;
  }
}

// Pictures, and PDF files that are pictures, are for the program that recognizes text, if there is
// one.
Result<ExtractedDocument> BlockExtractor::ExtractOrRecognize(std::string_view bytes,
                                                             const DocumentHints& hints,
                                                             ExtractedFrom& from) const {
  Result<ExtractedDocument> document = ExtractDocument(bytes, hints);
  if (!ocr_) return document;
  const bool is_no_document = !document && document.error().code == ErrorCode::kInvalidArgument;
  if (is_no_document && BeginsAsPicture(bytes)) {
    from.recognized = kRecognizedPicture;
    return RecognizePicture(*ocr_, bytes);
  }
  if (document && document->type == DocumentType::kPdf && document->text.empty()) {
    from.recognized = kRecognizedPages;
    return RecognizePages(*ocr_, bytes, *std::move(document));
  }
  return document;
}

void BlockExtractor::ExtractWholeFile(const std::string& file, BlockWork& work) {
  const RecordHead& head = *work.block.head;
  DocumentHints hints = head.hints;
  if (work.block.format == RecordFormat::kText) {
    hints = {.type = DocumentType::kText, .asked_encoding = head.encoding};
  }
  if (options_.documents.text_type) hints.type = options_.documents.text_type;
  ExtractedFrom from{.id = file, .file = file};
  if (!work.block.oversized) {
    Result<ExtractedDocument> document = ExtractOrRecognize(work.block.bytes, hints, from);
    return Add(from, std::move(document), work);
  }
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
    Result<ExtractedDocument> extracted = ExtractDocument(
        document.text,
        {.type = options_.documents.text_type, .asked_encoding = TextEncoding::kUtf8});
    if (extracted && extracted->url.empty()) {
      extracted->url = document.policy.front().value_or("");
    }
    Add(from, std::move(extracted), work);
  });
}

void BlockExtractor::ExtractParts(const std::string& file, BlockWork& work) {
  uint64_t record = work.first_record;
  SplitRecords(work.block, [&](const BlockRecord& part) {
    const std::string place = fmt::format("{}:{}", file, ++record);
    ExtractedFrom from{.id = place, .file = file, .record = record};
    if (work.block.oversized) {
      return AddFailed(from, "exhausted", "the capture is larger than a document may be", work);
    }
    Result<CaptureDocument> capture = ExtractRecord(work.block, part.bytes);
    if (!capture) return Add(from, tl::unexpected<Error>(std::move(capture).error()), work);
    if (!capture->no_document.empty()) {
      ++work.passed_over[capture->no_document];
      return;
    }
    const std::string id = work.block.format == RecordFormat::kArchive
                               ? IdOfMember(file, capture->member)
                               : capture->document.url;
    if (!id.empty()) from.id = id;
    from.record_id = capture->record_id;
    from.captured = capture->captured;
    Add(from, std::move(capture->document), work);
  });
}

void BlockExtractor::Extract(const std::string& file, BlockWork& work) {
  work.outputs.clear();
  work.pages.clear();
  work.passed_over.clear();
  if (work.failed_file) {
    const Error& error = *work.failed_file;
    AddFailed({.id = file, .file = file}, TraitsOf(error.code).name, error.message, work);
    if (!learns_) work.outputs.back().fault = error.message;
  } else if (IsWholeFile(work.block.format)) {
    ExtractWholeFile(file, work);
  } else if (IsExtracted(work.block.format)) {
    ExtractParts(file, work);
  } else {
    ExtractRecords(file, work);
  }
}

}  // namespace zhiwen
