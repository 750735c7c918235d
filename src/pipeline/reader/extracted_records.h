#ifndef ZHIWEN_PIPELINE_READER_EXTRACTED_RECORDS_H_
#define ZHIWEN_PIPELINE_READER_EXTRACTED_RECORDS_H_

// Records whose text is extracted, as documents.
//
// In          the bytes of a record of a format for which IsExtracted holds
// Out         Document, whose fields are what the document says about itself (FieldNames), or
//             RecordFault
// Cost        as zhiwen/extract.h
// Threads     one object a thread

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "document/record.h"
#include "pipeline/reader/capture_document.h"
#include "pipeline/records/record_block.h"
#include "zhiwen/extract.h"
#include "zhiwen/picture.h"

namespace zhiwen {

// Extracts the document of a record of such a format, which may be no document; a capture with a
// body of more than `max_bytes` fails. Fails: as ExtractCapture, ExtractMember and ExtractDocument.
Result<CaptureDocument> ExtractRecord(const RecordBlock& block, std::string_view bytes,
                                      uint64_t max_bytes = kMostCaptureBytes);

class ExtractedRecords {
 public:
  explicit ExtractedRecords(const RecordFields& fields)
      : id_(fields.id),
        policy_(fields.policy),
        asks_pictures_(std::ranges::find(policy_, kPictureField) != policy_.end()),
        max_bytes_(fields.max_extracted_bytes) {}

  // Views live until the next call.
  ParsedRecord Parse(const RecordBlock& block, std::string_view bytes);

  // Extracts the text of a field that holds a document of `type`. Views live until the next call.
  ParsedRecord ExtractField(Document document, DocumentType type);

  // Gives back what a record of megabytes took.
  void Shrink() {
    capture_ = {};
    levels_ = {};
    sources_ = {};
    picture_ = {};
  }

  // The fields that such documents have.
  static std::vector<std::string> FieldNames(RecordFormat format);

 private:
  std::optional<std::string_view> Find(std::string_view field);

  const std::string id_;  // "id": the address of a capture
  const std::vector<std::string> policy_;
  const bool asks_pictures_;  // otherwise a picture is no document
  const uint64_t max_bytes_;
  std::vector<uint8_t> found_;
  CaptureDocument capture_;  // of a file: its document alone
  std::string member_id_;
  std::string levels_, sources_, share_;  // where they were asked for
  std::array<std::string, 2> counts_;     // values that Find returns
  std::string picture_;                   // the pixels, where the record is a picture
};

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_READER_EXTRACTED_RECORDS_H_
