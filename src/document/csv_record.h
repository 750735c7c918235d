#ifndef ZHIWEN_DOCUMENT_CSV_RECORD_H_
#define ZHIWEN_DOCUMENT_CSV_RECORD_H_

// Parses one record of CSV into a document or a fault, as document/record.h does for JSON Lines.
//
// In          a record of RFC 4180 with or without its line end (LF or CRLF): fields between
//             separators; a field whose first byte is a quote reaches to the next quote that is
//             not doubled and may hold separators, line ends and doubled quotes. TSV is the same
//             with tabs
// Out         Document or RecordFault. Fields are named as in the header, including dots. A named
//             field that the header lacks is missing; an empty id or an empty value of a keep
//             policy counts as absent
// Guarantees  no input crashes the parser, and no bad record is skipped without a fault
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

// Returns the names of the fields, read from the first record of a file. Fails with kUnreadable for
// broken CSV or UTF-8, and for an empty or duplicate name; the message names the field but not the
// file.
Result<std::vector<std::string>> ParseCsvHeader(std::string_view record, char separator);

// Splits a record, with or without its line end, into `cells`, which keep their quotes. Returns
// false for broken CSV.
bool SplitCsvRecord(std::string_view record, char separator, std::vector<std::string_view>& cells);

// Guesses what separates the names of a header that has none of `text_fields` when split by
// `separator`. Returns a separator by which it has one; otherwise, if `separator` is not in the
// header, the most frequent one of comma, semicolon, tab and bar, or else of rarer ones, such as ^.
// Returns '\0' if there is none.
char OtherSeparator(std::string_view header, char separator,
                    std::span<const std::string> text_fields);

// Returns what separates the names of a header where nobody said it: semicolon, tab or bar where
// that alone of the four is there and one of `text_fields` is among the names; otherwise a comma.
char FindSeparator(std::string_view header, std::span<const std::string> text_fields);

class CsvParser {
 public:
  // Fails: kInvalidArgument when no text field is named.
  static Result<CsvParser> Create(const RecordFields& fields);

  // Sets the fields of the records given to Parse from now on, and the separator between them.
  void UseHeader(std::span<const std::string> names, char separator);

  // Parses one record. Views are valid until the next Parse; views of fields without doubled quotes
  // are valid as long as `record` is.
  std::variant<Document, RecordFault> Parse(std::string_view record);

  // Releases the memory that a record of megabytes took; its views become invalid.
  void Shrink();

 private:
  static constexpr size_t kAbsent = SIZE_MAX;

  // A field that is read: its name, its index in the header, and the buffer for its unquoted value.
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
  // Whether each field of text_ is in the header; empty when there is one text field.
  std::vector<uint8_t> found_texts_;
  Column id_;
  std::vector<Column> policy_;
  std::vector<uint8_t> found_policy_;  // whether each is in the header
  std::vector<std::string> names_;
  std::vector<std::string_view> cells_;  // cells of the record, with their quotes
  std::string joined_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENT_CSV_RECORD_H_
