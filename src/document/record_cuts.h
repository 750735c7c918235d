#ifndef ZHIWEN_DOCUMENT_RECORD_CUTS_H_
#define ZHIWEN_DOCUMENT_RECORD_CUTS_H_

// Takes passages out of the text of a record. Nothing else of the record changes: of a JSON string
// what stays is spelled as it was, escapes and all.
//
// In          a record in UTF-8 that was parsed (document/record.h, document/csv_record.h), and the
//             passages of its text, ascending and apart
// Guarantees  exactly these passages go: what they say is compared with what is taken out
// Threads     const
// Fails       returns nothing where the record has no such text, or another one

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "zhiwen/result.h"

namespace zhiwen {

// A passage that a text loses.
struct TextCut {
  uint64_t begin = 0, end = 0;  // bytes of the text, in UTF-8, between code points
  std::string text;             // what stands there
};

std::optional<std::string> CutText(std::string_view text, std::span<const TextCut> cuts);

// `field` is dotted, as RecordFields::text has it.
std::optional<std::string> CutJsonRecord(std::string_view record, const std::string& field,
                                         std::span<const TextCut> cuts);

// `column` counts from 0.
std::optional<std::string> CutCsvRecord(std::string_view record, char separator, size_t column,
                                        std::span<const TextCut> cuts);

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENT_RECORD_CUTS_H_
