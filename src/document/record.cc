#include "document/record.h"

#include <fmt/format.h>

#include <span>
#include <utility>

#include "base/json/value_count.h"
#include "base/utf8/text_encoding.h"
#include "base/utf8/utf8.h"
#include "document/field_names.h"
#include "zhiwen/picture.h"

namespace zhiwen {
namespace {

RecordFault::Reason ReasonOf(JsonFault::Kind kind) {
  switch (kind) {
    case JsonFault::Kind::kInvalidUtf8:
      return RecordFault::Reason::kInvalidUtf8;
    case JsonFault::Kind::kTooDeep:
      return RecordFault::Reason::kTooDeep;
    case JsonFault::Kind::kTooLarge:
      return RecordFault::Reason::kTooLarge;
    case JsonFault::Kind::kSyntax:
      break;
  }
  return RecordFault::Reason::kInvalidJson;
}

std::string_view NameOf(JsonType type) {
  switch (type) {
    case JsonType::kNull:
      return "null";
    case JsonType::kBool:
      return "true or false";
    case JsonType::kNumber:
      return "a number";
    case JsonType::kString:
      return "a string";
    case JsonType::kArray:
      return "an array";
    case JsonType::kObject:
      return "an object";
  }
  return "";
}

// Returns the value of a field that labels or ranks a document, or nothing when the field is a
// container or null.
std::optional<std::string_view> LabelOf(const std::optional<JsonField>& field) {
  if (!field.has_value()) return std::nullopt;
  if (field->type == JsonType::kString) return field->string;
  if (field->type == JsonType::kNumber || field->type == JsonType::kBool) return field->raw;
  return std::nullopt;
}

// Returns advice about a record that is a fragment of a larger JSON value; empty for other records.
std::string_view AdviceOnShape(std::string_view line, JsonPlace place) {
  if (place == JsonPlace::kElement) return "";
  const size_t first = line.find_first_not_of(" \t");
  if (first == std::string_view::npos) return "";
  if (line[first] == '[') {
    return "; JSON Lines has one object a line; an array is of the format json";
  }
  const bool is_open = line.find_first_not_of(" \t\r", first + 1) == std::string_view::npos;
  return line[first] == '{' && is_open
             ? "; JSON Lines has one object a line, and jq -c . makes them"
             : "";
}

RecordFault NotAString(std::string_view path, JsonType type) {
  return {RecordFault::Reason::kNotAString,
          fmt::format("field \"{}\" holds {}, not a string", path, NameOf(type))};
}

}  // namespace

std::string_view RecordFaultName(RecordFault::Reason reason) {
  switch (reason) {
    case RecordFault::Reason::kInvalidJson:
      return "invalid_json";
    case RecordFault::Reason::kInvalidUtf8:
      return "invalid_utf8";
    case RecordFault::Reason::kNotAnObject:
      return "not_an_object";
    case RecordFault::Reason::kMissingField:
      return "missing_field";
    case RecordFault::Reason::kNotAString:
      return "not_a_string";
    case RecordFault::Reason::kTooDeep:
      return "too_deep";
    case RecordFault::Reason::kTooLarge:
      return "too_large";
    case RecordFault::Reason::kInvalidCsv:
      return "invalid_csv";
    case RecordFault::Reason::kWrongFieldCount:
      return "wrong_field_count";
    case RecordFault::Reason::kInvalidEncoding:
      return "invalid_encoding";
    case RecordFault::Reason::kUnreadableDocument:
      return "unreadable_document";
  }
  return "";
}

bool IsBlankLine(std::string_view line) {
  if (line.starts_with(kByteOrderMark)) line.remove_prefix(kByteOrderMark.size());
  return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

std::variant<Document, RecordFault> ParseText(std::string_view bytes, ByteOffset begin,
                                              size_t policy_fields) {
  if (const size_t broken = FindInvalidUtf8(bytes); broken != bytes.size()) {
    if (begin.value == 0 && BeginsAsPicture(bytes)) {
      return RecordFault{RecordFault::Reason::kUnreadableDocument,
                         "it is a picture, which has no text"};
    }
    return RecordFault{
        RecordFault::Reason::kInvalidUtf8,
        fmt::format("not valid UTF-8 at byte {}{}", begin.value + broken, EncodingAdvice(bytes))};
  }
  if (begin.value == 0 && bytes.starts_with(kByteOrderMark))
    bytes.remove_prefix(kByteOrderMark.size());
  Document document;
  document.text = bytes;
  document.policy.resize(policy_fields);
  return document;
}

Result<RecordParser> RecordParser::Create(const RecordFields& fields) {
  if (fields.text.empty()) {
    return Fail(ErrorCode::kInvalidArgument, "no text field is named; name one, such as text");
  }
  RecordParser parser;
  for (const std::string& name : fields.text) {
    ZHIWEN_ASSIGN_OR_RETURN(Path path, MakePath(name));
    parser.text_.push_back(std::move(path));
  }
  ZHIWEN_ASSIGN_OR_RETURN(parser.id_, MakePath(fields.id));
  for (const std::string& name : fields.policy) {
    ZHIWEN_ASSIGN_OR_RETURN(Path path, MakePath(name));
    parser.policy_.push_back(std::move(path));
  }
  if (fields.joins_lists) parser.lists_.resize(parser.policy_.size());
  parser.added_ = fields.added;
  parser.max_values_ = fields.max_json_values;
  return parser;
}

Result<RecordParser::Path> RecordParser::MakePath(const std::string& name) {
  ZHIWEN_ASSIGN_OR_RETURN(std::vector<std::string> parts, ParseFieldPath(name));
  return Path{name, std::move(parts)};
}

std::optional<JsonField> RecordParser::Find(const Path& path) const {
  std::optional<JsonField> field = reader_.Find(path.parts);
  if (field || path.parts.size() == 1) return field;
  return reader_.Find(std::span(&path.name, 1));
}

std::variant<Document, RecordFault> RecordParser::Parse(std::string_view line, JsonPlace place) {
  const size_t mark = line.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
  line.remove_prefix(mark);
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (line.size() > max_values_) {
    if (const uint64_t values = CountJsonValues(line); values > max_values_) {
      return RecordFault{
          RecordFault::Reason::kTooLarge,
          fmt::format(
              "the record has {} values, and at most {} are read within this bound of memory; "
              "it needs {} times as much",
              values, max_values_, (values + max_values_ - 1) / max_values_)};
    }
  }
  if (std::optional<JsonFault> fault = reader_.Parse(line)) {
    return RecordFault{ReasonOf(fault->kind),
                       fmt::format("{}{}", fault->message, AdviceOnShape(line, place))};
  }
  if (!reader_.root_is_object()) {
    const std::optional<JsonField> root = reader_.Find({});
    return RecordFault{
        RecordFault::Reason::kNotAnObject,
        fmt::format("the record is {}, not an object{}",
                    NameOf(root ? root->type : JsonType::kNull), AdviceOnShape(line, place))};
  }
  Document document;
  if (std::optional<RecordFault> fault = ReadText(document)) return *std::move(fault);
  document.id = LabelOf(Find(id_));
  document.policy.reserve(policy_.size());
  found_policy_.resize(policy_.size());
  document.found_policy = found_policy_;
  for (size_t i = 0; i < policy_.size(); ++i) {
    const std::optional<JsonField> field = Find(policy_[i]);
    found_policy_[i] = field ? 1 : 0;
    const bool is_list = field && field->type == JsonType::kArray && !lists_.empty();
    document.policy.push_back(is_list ? JoinList(policy_[i], lists_[i]) : LabelOf(field));
  }
  for (size_t i = 0; i < added_.size() && !document.clash; ++i) {
    if (reader_.Find(std::span(&added_[i], 1))) document.clash = i;
  }
  return document;
}

std::optional<RecordFault> RecordParser::ReadText(Document& document) {
  if (text_.size() > 1) return JoinText(document);
  const std::optional<JsonField> field = Find(text_.front());
  if (!field.has_value()) return MissingText();
  if (field->type != JsonType::kString) return NotAString(text_.front().name, field->type);
  document.text = field->string;
  return std::nullopt;
}

std::optional<RecordFault> RecordParser::JoinText(Document& document) {
  joined_.clear();
  bool any_string = false, any_text = false;
  found_texts_.assign(text_.size(), 0);
  for (size_t i = 0; i < text_.size(); ++i) {
    if (i > 0) joined_.push_back('\n');
    const std::optional<JsonField> field = Find(text_[i]);
    found_texts_[i] = field.has_value() ? 1 : 0;
    if (!field.has_value() || field->type == JsonType::kNull) continue;
    if (field->type != JsonType::kString) return NotAString(text_[i].name, field->type);
    any_string = true;
    any_text = any_text || !field->string.empty();
    joined_.append(field->string);
  }
  if (!any_string) return MissingText();
  if (!any_text) joined_.clear();
  document.text = joined_;
  document.found_texts = found_texts_;
  return std::nullopt;
}

// Joins the strings of an array, one a line. Returns nothing when the array holds other values.
std::optional<std::string_view> RecordParser::JoinList(const Path& path, std::string& joined) {
  strings_.clear();
  if (!reader_.FindStrings(path.parts, strings_) &&
      !reader_.FindStrings(std::span(&path.name, 1), strings_)) {
    return std::nullopt;
  }
  joined.clear();
  for (size_t i = 0; i < strings_.size(); ++i) {
    if (i > 0) joined.push_back('\n');
    joined.append(strings_[i]);
  }
  return joined;
}

RecordFault RecordParser::MissingText() const {
  std::string names;
  for (const Path& path : text_) {
    names += fmt::format("{}\"{}\"", names.empty() ? "" : ", ", path.name);
  }
  const std::vector<std::string> found = reader_.Names();
  return {RecordFault::Reason::kMissingField,
          fmt::format("{} {} missing; the record has {}", text_.size() == 1 ? "field" : "fields",
                      names + (text_.size() == 1 ? " is" : " are all"),
                      found.empty() ? "no field" : QuoteNames(found))};
}

}  // namespace zhiwen
