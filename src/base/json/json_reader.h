#ifndef ZHIWEN_BASE_JSON_JSON_READER_H_
#define ZHIWEN_BASE_JSON_JSON_READER_H_

// One JSON value at a time, fully validated (simdjson DOM): syntax, UTF-8, numbers, escapes, depth.
//
// Guarantees  numbers of any size are accepted, as the JSON standard has it; a lone surrogate is a
//             syntax fault; faults name the byte, counted from 0, where it can be known
// Cost        one pass at GB/s; a faulty value is read twice more to say what is wrong with
//             it. Memory: twelve bytes a byte of the longest recent value, given back after a huge
//             one
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

// Why a line is not a document; `message` is for people.
struct JsonFault {
  enum class Kind : uint8_t { kSyntax, kInvalidUtf8, kTooDeep, kTooLarge };
  Kind kind = Kind::kSyntax;
  std::string message;
};

enum class JsonType : uint8_t { kNull, kBool, kNumber, kString, kArray, kObject };

// Looked up values: what a field holds.
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
  // Bytes that must be readable after the end of what is given to Parse (their values do not
  // matter).
  static constexpr size_t kPadding = 64;
  // Containers inside containers, not counting an empty innermost one; more is a fault.
  static constexpr size_t kMaxDepth = 256;

  JsonReader();
  ~JsonReader();
  JsonReader(JsonReader&&) noexcept;
  JsonReader& operator=(JsonReader&&) noexcept;

  // Parses `json`, whose storage goes on for kPadding readable bytes. Returns the fault, or nothing
  // when it is valid.
  std::optional<JsonFault> Parse(std::string_view json);

  // Gives back what a value of megabytes took; its fields go.
  void Shrink();

  bool root_is_object() const;

  // Looks `path` up in the parsed object ({"a","b"} for "a.b"); the first of equal keys counts.
  // Nothing when the path is absent.
  std::optional<JsonField> Find(std::span<const std::string> path) const;

  // Returns the names in the parsed object, in order; none when it is no object.
  std::vector<std::string> Names() const;

  // Appends the strings of the array at `path` to `strings`. False, with nothing appended, where
  // there is no array, or one that holds something else.
  bool FindStrings(std::span<const std::string> path, std::vector<std::string_view>& strings) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Splits "meta.title" at dots. Fails: kInvalidArgument for an empty part.
Result<std::vector<std::string>> ParseFieldPath(std::string_view dotted);

}  // namespace zhiwen

#endif  // ZHIWEN_BASE_JSON_JSON_READER_H_
