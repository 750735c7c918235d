#ifndef ZHIWEN_DOCUMENT_WARC_HEADER_FIELDS_H_
#define ZHIWEN_DOCUMENT_WARC_HEADER_FIELDS_H_

// Reads fields of the form "Name: value", which records of WARC and messages of HTTP begin with.
//
// In          lines that end with CR LF or LF alone. A line that begins with a space or a tab goes
//             on with the value of the line before (folding)
// Guarantees  any bytes are accepted; a line without a colon is passed over
// Cost        one search for line ends and colons
// Threads     one at a time

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace zhiwen {

struct HeaderField {
  std::string_view name;
  std::string_view value;  // without spaces around it; a folded one still has its line ends
};

class HeaderFields {
 public:
  // `lines` begins behind the first line, which holds the version. It must outlive the views.
  explicit HeaderFields(std::string_view lines) : lines_(lines) {}

  // Returns the next field; nothing at the blank line that ends the fields, and at the end.
  std::optional<HeaderField> Next();

  // Returns where the line begins that Next reads next; once Next has returned nothing, the first
  // byte behind the blank line.
  size_t offset() const { return at_; }

 private:
  std::string_view TakeLine();

  std::string_view lines_;
  size_t at_ = 0;
};

// Returns `value` without spaces, tabs and line ends around it.
std::string_view TrimValue(std::string_view value);

// Returns the part of `list` before the first `separator`, trimmed, and takes both off `list`.
std::string_view TakePart(std::string_view& list, char separator);

// Returns `value` in one line: a space for each line end and the spaces around it.
std::string UnfoldValue(std::string_view value);

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENT_WARC_HEADER_FIELDS_H_
