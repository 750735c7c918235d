#ifndef ZHIWEN_DOCUMENT_RECORD_H_
#define ZHIWEN_DOCUMENT_RECORD_H_

// One record's bytes become a document: its text, its id, the values that somebody reads, such as a
// keep policy; or a fault that says why not.
//
// In          one line of JSON Lines without its line end (a trailing CR is ignored, a leading byte
//             order mark too); or a whole text (for CSV see csv_record.h)
// Out         Document or RecordFault
// Guarantees  no input crashes, hangs or is skipped without a fault; a bad record is a value, never
//             an error of the run; of equal keys the first counts
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
#include "zhiwen/offsets.h"
#include "zhiwen/result.h"

namespace zhiwen {

struct RecordFields {
  // Dotted: "a.b" is the field b of the object a or, where that is not there, one called a.b.
  // Several are joined by '\n': one of them missing or null counts as empty, all of them
  // are a fault; when all that are there are empty, so is the text.
  std::vector<std::string> text = {"text"};
  std::string id = "id";
  std::vector<std::string> policy;      // fields a keep policy reads, or metadata
  bool joins_lists = false;             // a list of strings there is a value too: one a line
  std::vector<std::string> added = {};  // names of fields that outputs add: no record may have one
  // A JSON record with more values (base/json/value_count.h), which take kBytesPerJsonValue of
  // memory each, is a fault.
  uint64_t max_json_values = UINT64_MAX;
};

inline constexpr uint64_t kBytesPerJsonValue = 24;

// Views live until the next Parse.
struct Document {
  std::string_view text;
  std::optional<std::string_view> id;  // string, number or bool; nothing else is an id
  // The values of RecordFields::policy: strings, numbers and bools as JsonField::raw spells them,
  // and lists as joins_lists says.
  std::vector<std::optional<std::string_view>> policy;
  // By RecordFields::text: whether the record has such a field, be it null. Empty when it names one
  // field: a document has it.
  std::span<const uint8_t> found_texts = {};
  // Which of RecordFields::added an object already has; of other formats the head says it.
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
    kInvalidEncoding,  // of a file in another encoding than UTF-8
  };
  Reason reason = Reason::kInvalidJson;
  std::string message;  // names the field or the byte
};

// "invalid_json", "invalid_utf8", "not_an_object", "missing_field", "not_a_string", "too_deep",
// "too_large", "invalid_csv", "wrong_field_count", "invalid_encoding".
std::string_view RecordFaultName(RecordFault::Reason reason);

// True for a line of JSON Lines that holds nothing but white space, or a byte order mark: no
// record.
bool IsBlankLine(std::string_view line);

// A whole file, or those of its lines that begin at `begin`, as one document: the bytes without the
// byte order mark that leads the file; no id, no values. A fault names the byte of the file.
// `policy_fields` is the size of RecordFields::policy.
std::variant<Document, RecordFault> ParseText(std::string_view bytes, ByteOffset begin,
                                              size_t policy_fields);

// Where a JSON record stands.
enum class JsonPlace : uint8_t {
  kLine,     // of JSON Lines
  kElement,  // of an array
};

class RecordParser {
 public:
  // Fails: kInvalidArgument for an empty or malformed field name.
  static Result<RecordParser> Create(const RecordFields& fields);

  // Parses `line`, whose storage goes on for JsonReader::kPadding readable bytes.
  std::variant<Document, RecordFault> Parse(std::string_view line,
                                            JsonPlace place = JsonPlace::kLine);

  // Gives back what a record of megabytes took; its views go.
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
  std::vector<std::string> lists_;  // of policy_, joined; empty: they are no values
  std::vector<std::string_view> strings_;
  std::vector<std::string> added_;
  uint64_t max_values_ = UINT64_MAX;
  std::string joined_;
  std::vector<uint8_t> found_texts_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENT_RECORD_H_
