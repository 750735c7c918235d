#ifndef ZHIWEN_BASE_JSON_JSON_WRITER_H_
#define ZHIWEN_BASE_JSON_JSON_WRITER_H_

// Appends JSON to a string. The writer adds commas, quotes and indentation; the caller must nest
// correctly.
//
// In          UTF-8; what is not valid UTF-8 is written as U+FFFD, one for each broken sequence
//             (Unicode 15, table 3-8), so that the output is always valid JSON
// Out         compact, or indented by two spaces; characters beyond ASCII as themselves
// Guarantees  numbers are written the same on every machine: integers in full, doubles in the
//             shortest form that reads back equal

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace zhiwen {

class JsonWriter {
 public:
  enum class Layout { kCompact, kIndented };
  explicit JsonWriter(std::string& out, Layout layout = Layout::kCompact)
      : out_(out), layout_(layout) {}

  JsonWriter& BeginObject();
  JsonWriter& EndObject();
  JsonWriter& BeginArray();
  JsonWriter& EndArray();
  JsonWriter& Key(std::string_view key);
  JsonWriter& String(std::string_view value);
  JsonWriter& Unsigned(uint64_t value);
  JsonWriter& Double(double value);               // must be finite; NaN and infinities become null
  JsonWriter& Fixed(double value, int decimals);  // rounded, without trailing zeros: 0.8, 0.9375, 1
  JsonWriter& Bool(bool value);
  JsonWriter& Null();
  JsonWriter& Raw(std::string_view json);  // must be valid JSON

 private:
  void BeforeValue();
  void Newline();

  std::string& out_;
  Layout layout_;
  std::vector<bool> has_items_;
  bool after_key_ = false;
};

// Returns a time in UTC as ISO 8601: "2026-11-24T08:00:00Z".
std::string FormatUtc(std::chrono::sys_seconds time);

// Returns an array on one line, for Raw.
std::string CountsToJson(std::span<const uint64_t> counts);

// Appends `value` as a JSON string with its quotes.
void AppendJsonString(std::string& out, std::string_view value);

}  // namespace zhiwen

#endif  // ZHIWEN_BASE_JSON_JSON_WRITER_H_
