#ifndef ZHIWEN_PIPELINE_READER_EXTRACTED_RECORDS_H_
#define ZHIWEN_PIPELINE_READER_EXTRACTED_RECORDS_H_

// Records whose text is extracted, as documents.
//
// In          the bytes of a record of a format for which IsExtracted holds
// Out         Document, whose fields are what the document says about itself (FieldNames), or
//             RecordFault
// Cost        as zhiwen/extract.h
// Threads     one object a thread

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "document/record.h"
#include "pipeline/records/record_block.h"
#include "zhiwen/extract.h"

namespace zhiwen {

class ExtractedRecords {
 public:
  // `policy`: RecordFields::policy.
  explicit ExtractedRecords(std::vector<std::string> policy) : policy_(std::move(policy)) {}

  // Views live until the next call.
  ParsedRecord Parse(const RecordBlock& block, std::string_view bytes);

  // Gives back what a record of megabytes took.
  void Shrink() { document_ = {}; }

  // The fields that every such document has.
  static std::vector<std::string> FieldNames();

 private:
  std::optional<std::string_view> Find(std::string_view field) const;

  std::vector<std::string> policy_;
  std::vector<uint8_t> found_;
  ExtractedDocument document_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_READER_EXTRACTED_RECORDS_H_
