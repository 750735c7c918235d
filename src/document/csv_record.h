#ifndef ZHIWEN_DOCUMENT_CSV_RECORD_H_
#define ZHIWEN_DOCUMENT_CSV_RECORD_H_

// One record of CSV becomes a document or a fault, as document/record.h has it for JSON Lines.
//
// In          a record of RFC 4180 with or without its line end (LF or CRLF): fields between
//             separators; a field whose first byte is a quote reaches to the next quote that is
//             not doubled and may hold separators, line ends and doubled quotes. TSV is the same
//             with tabs
// Out         Document or RecordFault. Fields are named as in the header, dots and all. A named
//             field that the header lacks is a missing one; an empty id or value of a keep policy
//             is none
// Guarantees  no input crashes or is passed over without a fault
// Cost        one validation and one pass; a copy of fields with doubled quotes
// Threads     one parser a thread

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "document/record.h"
#include "zhiwen/result.h"

namespace zhiwen {

// The names of the fields, from the first record of a file. Fails: kUnreadable for broken CSV or
// UTF-8, an empty name or one that is there twice; the message says which, not of what file.
Result<std::vector<std::string>> ParseCsvHeader(std::string_view record, char separator);

// Returns what seems to separate the names of a header that has no `separator`: the one of comma,
// semicolon, tab and bar that is there most often; '\0' when none is.
char OtherSeparator(std::string_view header, char separator);

// Returns what separates the names of a header where nobody said it: semicolon, tab or bar where
// that alone of the four is there and one of `text_fields` is among the names; otherwise a comma.
char FindSeparator(std::string_view header, std::span<const std::string> text_fields);

class CsvParser {
 public:
  // Fails: kInvalidArgument when no text field is named.
  static Result<CsvParser> Create(const RecordFields& fields);

  // Records given to Parse from now on have these fields, with `separator` between them.
  void UseHeader(std::span<const std::string> names, char separator);

  // Parses one record. Views live until the next Parse; those of fields without doubled quotes,
  // as long as `record`.
  std::variant<Document, RecordFault> Parse(std::string_view record);

  // Gives back what a record of megabytes took; its views go.
  void Shrink();

 private:
  static constexpr size_t kAbsent = SIZE_MAX;

  // A field that is read: which one it is, and where its value is unquoted.
  struct Column {
    std::string name;
    size_t index = kAbsent;
    std::string unquoted;
  };
  CsvParser() = default;

  std::optional<RecordFault> ReadText(Document& document);
  std::optional<std::string_view> ReadLabel(Column& column);
  std::string_view ValueOf(Column& column);
  RecordFault MissingText() const;

  char separator_ = ',';
  std::vector<Column> text_;
  std::vector<uint8_t> found_texts_;  // in the header, by text_; none for one text field
  Column id_;
  std::vector<Column> policy_;
  std::vector<std::string> names_;
  std::vector<std::string_view> cells_;  // of the record, with their quotes
  std::string joined_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENT_CSV_RECORD_H_
