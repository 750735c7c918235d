#ifndef ZHIWEN_PIPELINE_READER_CAPTURE_DOCUMENT_H_
#define ZHIWEN_PIPELINE_READER_CAPTURE_DOCUMENT_H_

// The document of a capture of a crawl, or of a member of an archive.

#include <cstdint>
#include <string>
#include <string_view>

#include "zhiwen/extract.h"
#include "zhiwen/result.h"

namespace zhiwen {

struct CaptureDocument {
  // Of a capture, as the record says: "<urn:uuid:…>", "2024-05-01T10:00:00Z".
  std::string record_id = {}, captured = {};
  std::string member = {};          // the name of a member
  std::string no_document = {};     // what it is, such as "a picture"; empty: it is a document
  ExtractedDocument document = {};  // that of a capture has the address that was fetched as its url
};

// Extracts the document of a capture group (document/warc/warc_scanner.h). The sources of its
// blocks count in the body of the response, without the codings of HTTP. Fails: kUnreadable: the
// capture is damaged, or its document · kExhausted: the body has more than `max_bytes`.
Result<CaptureDocument> ExtractCapture(std::string_view group, const DocumentHints& hints,
                                       uint64_t max_bytes = kMostCaptureBytes);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_READER_CAPTURE_DOCUMENT_H_
