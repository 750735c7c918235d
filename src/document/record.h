#ifndef ZHIWEN_DOCUMENT_RECORD_H_
#define ZHIWEN_DOCUMENT_RECORD_H_

// Parses the bytes of one record into a document (its text, its id, and the values that other
// stages read, such as a keep policy), or into a fault that states the reason.
//
// In          one line of JSON Lines without its line end (a trailing CR is ignored, a leading byte
//             order mark too); or a whole text (for CSV see csv_record.h)
// Out         Document or RecordFault
// Guarantees  no input crashes or hangs the parser, and no bad record is skipped without a fault; a
//             bad record is a value, never an error of the run; of equal keys the first counts
// Cost        one validation and one copy of the strings
// Threads     one parser a thread

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/json/json_reader.h"
#include "zhiwen/extract.h"
#include "zhiwen/offsets.h"
#include "zhiwen/result.h"

namespace zhiwen {

struct RecordFields {
  // Names may be dotted: "a.b" is the field b of the object a or, where that is absent, a field
  // called "a.b". The values of several fields are joined by '
  // '. A field that is missing or null counts as empty; it is a fault when all fields are. When all
  // fields that are present are empty, so is the text.
  std::vector<std::string> text = {"text"};
  std::string id = "id";
  std::vector<std::string> policy;  // fields a keep policy reads, or metadata
  bool joins_lists = false;         // whether such a field may be a list of strings: one a line
  // Names of fields that outputs add; no record may have one of them.
  std::vector<std::string> added = {};
  // A JSON record with more values than this (base/json/value_count.h) is a fault. Each value takes
  // kBytesPerJsonValue of memory.
  uint64_t max_json_values = UINT64_MAX;
  // The text fields hold documents of this type, whose texts are extracted. Not given: texts.
  std::optional<DocumentType> text_type = {};
  // A text with a few bytes that its encoding does not have is read with U+FFFD in their place.
  bool mends_texts = true;
  // A capture whose body is larger without the codings of HTTP is a fault.
  uint64_t max_extracted_bytes = kMostCaptureBytes;
};

inline constexpr uint64_t kBytesPerJsonValue = 24;

// Views live until the next Parse.
struct Document {
  std::string_view text;
  std::optional<std::string_view> id;  // a string, number or bool
  // The values of RecordFields::policy. Strings, numbers and bools are spelled as JsonField::raw
  // has them; lists follow joins_lists.
  std::vector<std::optional<std::string_view>> policy;
  // Whether the record has each field of RecordFields::policy, even as null. Empty for a text.
  std::span<const uint8_t> found_policy = {};
  // Whether the record has each field of RecordFields::text, even as null. Empty when that names
  // one field, because a document always has it.
  std::span<const uint8_t> found_texts = {};
  // Of a text: places that could not be decoded, where U+FFFD stands.
  uint64_t decoding_errors = 0;
  // Of a capture of a crawl that is no document: what it is, such as "a redirect"; it has no text.
  std::string_view no_document = {};
  // The index in RecordFields::added of a field that the object already has. Formats with a header
  // check that header instead.
  std::optional<size_t> clash = std::nullopt;
};

struct RecordFault {
  enum class Reason : uint8_t {
    kInvalidJson,
    kInvalidUtf8,
    kNotAnObject,
    kMissingField,
    kNotAString,
    kTooDeep,
    kTooLarge,
    kInvalidCsv,
    kWrongFieldCount,
    kInvalidEncoding,     // a file in another encoding than UTF-8
    kUnreadableDocument,  // a file or a capture whose text is extracted
  };
  Reason reason = Reason::kInvalidJson;
  std::string message;  // names the field or the byte
};

// "invalid_json", "invalid_utf8", "not_an_object", "missing_field", "not_a_string", "too_deep",
// "too_large", "invalid_csv", "wrong_field_count", "invalid_encoding", "unreadable_document".
std::string_view RecordFaultName(RecordFault::Reason reason);

// Returns true for a line of JSON Lines that holds only white space or a byte order mark, and is
// therefore not a record.
bool IsBlankLine(std::string_view line);

// Makes one document of a whole file, or of those of its lines that begin at `begin`. The byte
// order mark at the start of the file is left out; the document has no id and no values. A fault
// names the byte of the file. `policy_fields` is the size of RecordFields::policy.
std::variant<Document, RecordFault> ParseText(std::string_view bytes, ByteOffset begin,
                                              size_t policy_fields);

// The kind of place that a JSON record stands in.
enum class JsonPlace : uint8_t {
  kLine,     // a line of JSON Lines
  kElement,  // an element of an array
};

class RecordParser {
 public:
  // Fails: kInvalidArgument for an empty or malformed field name.
  static Result<RecordParser> Create(const RecordFields& fields);

  // Parses `line`. JsonReader::kPadding bytes after it must be readable.
  std::variant<Document, RecordFault> Parse(std::string_view line,
                                            JsonPlace place = JsonPlace::kLine);

  // Releases the memory that a record of megabytes took; its views become invalid.
  void Shrink() {
    reader_.Shrink();
    std::string().swap(joined_);
    for (std::string& list : lists_) std::string().swap(list);
  }

 private:
  struct Path {
    std::string name;  // with its dots
    std::vector<std::string> parts;
  };
  RecordParser() = default;

  static Result<Path> MakePath(const std::string& name);
  std::optional<JsonField> Find(const Path& path) const;

  std::optional<RecordFault> ReadText(Document& document);
  std::optional<RecordFault> JoinText(Document& document);
  RecordFault MissingText() const;
  std::optional<std::string_view> JoinList(const Path& path, std::string& joined);

  JsonReader reader_;
  std::vector<Path> text_;
  Path id_;
  std::vector<Path> policy_;
  // The joined lists of policy_; empty when lists are not values.
  std::vector<std::string> lists_;
  std::vector<std::string_view> strings_;
  std::vector<std::string> added_;
  uint64_t max_values_ = UINT64_MAX;
  std::string joined_;
  std::vector<uint8_t> found_texts_, found_policy_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENT_RECORD_H_
