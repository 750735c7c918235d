#ifndef ZHIWEN_BASE_JSON_JSON_READER_H_
#define ZHIWEN_BASE_JSON_JSON_READER_H_

// Parses one JSON value at a time with full validation (simdjson DOM): syntax, UTF-8, numbers,
// escapes, depth.
//
// Guarantees  numbers of any size are accepted, as the JSON standard allows; a lone surrogate is a
//             syntax fault; faults name the byte, counted from 0, where it can be known
// Cost        one pass at GB/s; a faulty value is read twice more to find the fault. Memory: twelve
//             bytes for each byte of the longest recent value, released after a huge one
// Lifetime    values and views of a document live until the next Parse of the same reader
// Threads     one reader a thread
// Not for     values larger than 4 GiB

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "zhiwen/result.h"

namespace zhiwen {

// The reason why a line is not valid; `message` is for people.
struct JsonFault {
  enum class Kind : uint8_t { kSyntax, kInvalidUtf8, kTooDeep, kTooLarge };
  Kind kind = Kind::kSyntax;
  std::string message;
};

enum class JsonType : uint8_t { kNull, kBool, kNumber, kString, kArray, kObject };

// The value of a field that was looked up.
struct JsonField {
  JsonType type = JsonType::kNull;
  std::string_view string;  // kString: unescaped
  double number = 0;        // kNumber
  // kNumber, kBool: the canonical spelling, 100000 for 1e5; beyond 64 bits as written
  std::string_view raw;
  bool is_float = false;  // kNumber: written with a point or an exponent, and held as `number`
};

class JsonReader {
 public:
  // The number of bytes that must be readable after the text given to Parse. Their values do not
  // matter.
  static constexpr size_t kPadding = 64;
  // The deepest nesting allowed, not counting an empty innermost container. More is a fault.
  static constexpr size_t kMaxDepth = 256;

  JsonReader();
  ~JsonReader();
  JsonReader(JsonReader&&) noexcept;
  JsonReader& operator=(JsonReader&&) noexcept;

  // Parses `json`, after which kPadding bytes must be readable. Returns the fault, or nothing when
  // the value is valid.
  std::optional<JsonFault> Parse(std::string_view json);

  // Releases the memory that a value of megabytes took; its fields become invalid.
  void Shrink();

  bool root_is_object() const;

  // Looks up `path` in the parsed object ({"a","b"} for "a.b"). The first of equal keys counts.
  // Returns nothing when the path is absent.
  std::optional<JsonField> Find(std::span<const std::string> path) const;

  // Returns the names in the parsed object, in order, or none when the value is not an object.
  std::vector<std::string> Names() const;

  // Appends the strings of the array at `path` to `strings`. Returns false, with nothing appended,
  // when there is no array or it contains other values.
  bool FindStrings(std::span<const std::string> path, std::vector<std::string_view>& strings) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Splits "meta.title" at dots. Fails: kInvalidArgument for an empty part.
Result<std::vector<std::string>> ParseFieldPath(std::string_view dotted);

}  // namespace zhiwen

#endif  // ZHIWEN_BASE_JSON_JSON_READER_H_
