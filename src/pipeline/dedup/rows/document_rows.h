#ifndef ZHIWEN_PIPELINE_DEDUP_ROWS_DOCUMENT_ROWS_H_
#define ZHIWEN_PIPELINE_DEDUP_ROWS_DOCUMENT_ROWS_H_

// The rows that a run keeps on scratch for every document between its passes, in the order of
// input. In memory a document is a few arrays of 4 bytes; its text is read again when it is needed.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "document/html_notice.h"
#include "document/record.h"
#include "zhiwen/documents.h"

namespace zhiwen {

// Position among the documents of a run (records that parsed), in the order of input.
using DocumentIndex = uint32_t;
inline constexpr DocumentIndex kNoDocument = UINT32_MAX;

// A block of records as the first pass read it.
struct BlockRow {
  uint32_t file = 0;
  DocumentIndex first_document = 0;
  uint32_t documents = 0;
  uint32_t records = 0;       // documents and failed records
  uint64_t first_record = 0;  // of the file, from 1
  uint64_t offset = 0;        // FileBlocks::SkipTo
  uint64_t length = 0;
  uint64_t blank_bytes = 0;  // of lines that are no records
};

struct DocumentRow {
  Hash128 collapse;          // equal for documents that are one by the first rule (collapse.h)
  uint64_t raw = 0;          // hash of the text's bytes
  uint32_t shingles = 0;     // with repeats; 0: too short to be compared
  uint32_t code_points = 0;  // 0: an empty text, which equals no other
};

// A record that is no document. Its place in the order of input is after `before` documents.
struct FailedRecord {
  uint32_t file = 0;
  uint64_t record = 0;  // from 1
  uint64_t offset = 0, length = 0;
  DocumentIndex before = 0;
  RecordFault fault;
  std::string raw;  // empty above the limit
};

// Counted while records are read, apart from what becomes of them: a run is checked against it.
struct SketchTotals {
  uint64_t records = 0;
  uint64_t documents = 0;
  uint64_t empty = 0;
  uint64_t text_bytes = 0;
  uint64_t stream_bytes = 0;  // decompressed
  uint64_t blank_bytes = 0;   // of lines that are no records
  uint64_t failed_bytes = 0;
  uint64_t ids = 0;      // documents with an id
  uint64_t grouped = 0;  // documents with a value to group by
  uint64_t keyed = 0;    // documents with a key
  uint64_t dated = 0;    // documents with a date of --within
  HtmlCount html = {};   // of documents in the first block of each file
  DecodingErrors decoding_errors = {};
  std::vector<uint64_t> found_texts;       // documents by text field, when there are several
  std::vector<uint64_t> missing_values;    // by field of the keep policy
  std::vector<uint64_t> failed_by_reason;  // by RecordFault::Reason

  uint64_t failed() const { return records - documents; }
  void Add(const SketchTotals& other);
};

// Adds Document::found_texts to the counts of all.
void CountTexts(std::span<const uint8_t> found, std::vector<uint64_t>& counts);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_ROWS_DOCUMENT_ROWS_H_
