#include "pipeline/reader/capture_document.h"

#include <utility>
#include <variant>

#include "document/warc/warc_capture.h"

namespace zhiwen {
namespace {

// The type that a server says. What servers call a text is often something else, which its bytes
// tell first.
std::optional<DocumentType> TypeOfMedia(std::string_view name) {
  if (name == "text/html" || name == "application/xhtml+xml") return DocumentType::kHtml;
  return std::nullopt;
}

}  // namespace

Result<CaptureDocument> ExtractCapture(std::string_view group, const DocumentHints& hints,
                                       uint64_t max_bytes) {
  auto parsed = ParseCapture(group, {.max_payload_bytes = max_bytes});
  if (auto* fault = std::get_if<CaptureFault>(&parsed)) {
    const bool is_large = fault->reason == CaptureFault::Reason::kTooLarge;
    return Fail(is_large ? ErrorCode::kExhausted : ErrorCode::kUnreadable,
                std::move(fault->message));
  }
  WarcCapture& capture = std::get<WarcCapture>(parsed);
  CaptureDocument out{.record_id = std::move(capture.record_id),
                      .captured = std::move(capture.date)};
  if (capture.no_document) {
    out.no_document = NoDocumentWords(*capture.no_document);
  } else {
    DocumentHints of_capture = hints;
    if (!of_capture.type) of_capture.type = TypeOfMedia(capture.content_type.name);
    if (of_capture.encoding.empty()) of_capture.encoding = capture.content_type.charset;
    Result<ExtractedDocument> document = ExtractDocument(capture.payload(), of_capture);
    if (document) {
      out.document = *std::move(document);
    } else if (document.error().code == ErrorCode::kInvalidArgument) {
      out.no_document = std::move(document).error().message;
    } else {
      return Fail(std::move(document));
    }
    if (capture.has_stray_bytes) {
      out.document.notes.emplace_back("the records of the capture have damaged bytes beside it");
    }
    if (capture.is_incomplete || !capture.truncated.empty()) {
      out.document.notes.emplace_back("the capture ends early, and its text with it");
    }
  }
  out.document.url = std::move(capture.target_uri);
  return out;
}

}  // namespace zhiwen
