#ifndef ZHIWEN_PIPELINE_DEDUP_WRITE_KEPT_RECORD_H_
#define ZHIWEN_PIPELINE_DEDUP_WRITE_KEPT_RECORD_H_

// Writes one record of kept/: its bytes unchanged, or with fields added at its end, or without
// passages of its text.

#include <string>
#include <string_view>

#include "pipeline/dedup/input/added_fields.h"
#include "pipeline/dedup/rows/document_cuts.h"
#include "pipeline/reader/record_blocks.h"

namespace zhiwen {

struct AddedValues {
  bool removed = false;
  std::string keeper = {};  // the name of a removed record's keeper; empty: none
  uint32_t cluster_size = 1;
};

// Appends the record of `input`, its line end last. JSON: the fields come before the last brace.
void AppendKeptRecord(const InputFile& input, std::string_view record, const AddedFields& fields,
                      const AddedValues& values, std::string& out);

// Returns the record without what its text loses in the field `text`; the record may be a whole
// text. In UTF-8 all other bytes stay; other encodings are written anew. `head`: of its file.
// Fails: kInternal when the text is not the one that was cut; kUnavailable as TextDecoder.
Result<std::string> CutKeptRecord(const InputFile& input, const RecordHead* head,
                                  std::string_view record, const std::string& text,
                                  const DocumentCuts& cuts);

// Appends the head of a file: with fields added, their names are columns.
void AppendKeptHead(const InputFile& input, std::string_view head, const AddedFields& fields,
                    std::string& out);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_WRITE_KEPT_RECORD_H_
