#include "base/json/json_reader.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <bit>
#include <deque>
#include <utility>

#include "base/hash.h"
#include "base/json/big_numbers.h"
#include "base/json/syntax_fault.h"
#include "base/utf8/text_encoding.h"
#include "base/utf8/utf8.h"

namespace zhiwen {
namespace {

static_assert(JsonReader::kPadding >= simdjson::SIMDJSON_PADDING);

constexpr size_t kSmallestCapacity = size_t{64} << 10;
constexpr size_t kRetainedCapacity = size_t{4} << 20;  // a larger parser is released
constexpr size_t kKeptCapacity = size_t{256} << 10;    // by Shrink

std::string_view InPlainWords(simdjson::error_code code) {
  switch (code) {
    case simdjson::EMPTY:
      return "there is nothing but white space";
    case simdjson::STRING_ERROR:
      return "a string holds an invalid escape or half a surrogate pair";
    case simdjson::UNESCAPED_CHARS:
      return "a string holds a control character that is not escaped";
    case simdjson::UNCLOSED_STRING:
      return "a string is not closed";
    case simdjson::NUMBER_ERROR:
      return "a number is malformed";
    case simdjson::T_ATOM_ERROR:
    case simdjson::F_ATOM_ERROR:
    case simdjson::N_ATOM_ERROR:
      return "a word is neither true, false nor null";
    case simdjson::TAPE_ERROR:
    case simdjson::INCOMPLETE_ARRAY_OR_OBJECT:
      return "a comma, colon, bracket, quotation mark or value is missing or superfluous";
    default:
      return simdjson::error_message(code);
  }
}

JsonFault TooDeep() {
  return {JsonFault::Kind::kTooDeep,
          fmt::format("arrays and objects are nested more than {} deep", JsonReader::kMaxDepth)};
}

JsonFault DescribeFault(std::string_view json, simdjson::error_code code) {
  switch (code) {
    case simdjson::UTF8_ERROR:
      return {
          JsonFault::Kind::kInvalidUtf8,
          fmt::format("byte {} is not valid UTF-8{}", FindInvalidUtf8(json), EncodingAdvice(json))};
    case simdjson::DEPTH_ERROR:
      return TooDeep();
    case simdjson::CAPACITY:
      return {JsonFault::Kind::kTooLarge, "the value is larger than 4 GiB"};
    case simdjson::MEMALLOC:
      return {JsonFault::Kind::kTooLarge,
              fmt::format("there is no memory for a value of {} bytes", json.size())};
    default:
      break;
  }
  const SyntaxFault fault = FindSyntaxFault(json, JsonReader::kMaxDepth);
  if (fault.too_deep) return TooDeep();
  if (!fault.byte.has_value() || code == simdjson::EMPTY) {
    return {JsonFault::Kind::kSyntax, fmt::format("not valid JSON: {}", InPlainWords(code))};
  }
  return {JsonFault::Kind::kSyntax,
          fmt::format("not valid JSON at byte {}: {}", *fault.byte, InPlainWords(code))};
}

}  // namespace

struct JsonReader::State {
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  bool parsed = false;
  std::string quoted;             // the value with big numbers quoted, if it has any
  std::string marker;             // their marker; empty when there are none
  std::deque<std::string> spelt;  // numbers whose spelling was asked for

  simdjson::error_code Read(std::string_view json);
  simdjson::error_code ReadBigNumbers(std::string_view json);
  JsonField FieldOf(simdjson::dom::element element);
  std::optional<simdjson::dom::element> ElementAt(std::span<const std::string> path) const;
};

simdjson::error_code JsonReader::State::Read(std::string_view json) {
  constexpr size_t kLargest = simdjson::SIMDJSON_MAXSIZE_BYTES;
  if (json.size() > kLargest) return simdjson::CAPACITY;
  const bool wasteful = parser.capacity() > kRetainedCapacity && json.size() <= kRetainedCapacity;
  if (parser.capacity() < json.size() || parser.capacity() == 0 || wasteful) {
    const size_t rounded = json.size() <= kRetainedCapacity
                               ? std::max(std::bit_ceil(json.size()), kSmallestCapacity)
                               : std::min(json.size() + json.size() / 4, kLargest);
    root = {};
    // simdjson counts the values of the innermost container as one level more.
    parser = simdjson::dom::parser();
    if (const auto error = parser.allocate(rounded, kMaxDepth + 1)) return error;
  }
  return parser.parse(json.data(), json.size(), false).get(root);
}

simdjson::error_code JsonReader::State::ReadBigNumbers(std::string_view json) {
  // The marker depends on the whole value, so that no value can contain its own marker.
  marker = fmt::format("number {:016x} ", HashBytes64(json));
  std::optional<std::string> changed = QuoteBigNumbers(json, marker);
  if (!changed.has_value()) return simdjson::NUMBER_ERROR;
  quoted = *std::move(changed);
  const size_t size = quoted.size();
  quoted.resize(size + kPadding);
  return Read(std::string_view(quoted).substr(0, size));
}

JsonField JsonReader::State::FieldOf(simdjson::dom::element element) {
  JsonField field;
  switch (element.type()) {
    case simdjson::dom::element_type::ARRAY:
      field.type = JsonType::kArray;
      break;
    case simdjson::dom::element_type::OBJECT:
      field.type = JsonType::kObject;
      break;
    case simdjson::dom::element_type::NULL_VALUE:
      field.type = JsonType::kNull;
      break;
    case simdjson::dom::element_type::BOOL:
      field.type = JsonType::kBool;
      field.raw = element.get_bool().value_unsafe() ? "true" : "false";
      break;
    case simdjson::dom::element_type::STRING:
      field.type = JsonType::kString;
      field.string = element.get_string().value_unsafe();
      if (!marker.empty() && field.string.starts_with(marker)) {
        field.type = JsonType::kNumber;
        field.raw = std::exchange(field.string, {}).substr(marker.size());
        field.number = BigNumberValue(field.raw);
      }
      break;
    default:
      field.type = JsonType::kNumber;
      field.number = element.get_double().value_unsafe();
      field.is_float = element.type() == simdjson::dom::element_type::DOUBLE;
      if (element.is_int64()) {
        spelt.push_back(fmt::to_string(element.get_int64().value_unsafe()));
      } else if (element.is_uint64()) {
        spelt.push_back(fmt::to_string(element.get_uint64().value_unsafe()));
      } else {
        spelt.push_back(fmt::to_string(field.number));
      }
      field.raw = spelt.back();
  }
  return field;
}

JsonReader::JsonReader() : state_(std::make_unique<State>()) {}
JsonReader::~JsonReader() = default;
JsonReader::JsonReader(JsonReader&&) noexcept = default;
JsonReader& JsonReader::operator=(JsonReader&&) noexcept = default;

std::optional<JsonFault> JsonReader::Parse(std::string_view json) {
  state_->spelt.clear();
  if (!state_->marker.empty()) {
    state_->marker.clear();
    std::string().swap(state_->quoted);
  }
  simdjson::error_code code = state_->Read(json);
  if (code == simdjson::NUMBER_ERROR) code = state_->ReadBigNumbers(json);
  state_->parsed = code == simdjson::SUCCESS;
  if (state_->parsed) return std::nullopt;
  return DescribeFault(json, code);
}

void JsonReader::Shrink() {
  if (state_->parser.capacity() <= kKeptCapacity) return;
  state_->parsed = false;
  state_->root = {};
  state_->parser = simdjson::dom::parser();
  std::string().swap(state_->quoted);
}

bool JsonReader::root_is_object() const { return state_->parsed && state_->root.is_object(); }

std::optional<simdjson::dom::element> JsonReader::State::ElementAt(
    std::span<const std::string> path) const {
  if (!parsed) return std::nullopt;
  simdjson::dom::element at = root;
  for (const std::string& key : path) {
    simdjson::dom::object object;
    if (at.get(object) != simdjson::SUCCESS) return std::nullopt;
    if (object.at_key(key).get(at) != simdjson::SUCCESS) return std::nullopt;
  }
  return at;
}

std::optional<JsonField> JsonReader::Find(std::span<const std::string> path) const {
  const std::optional<simdjson::dom::element> element = state_->ElementAt(path);
  return element ? std::optional(state_->FieldOf(*element)) : std::nullopt;
}

std::vector<std::string> JsonReader::Names() const {
  std::vector<std::string> names;
  simdjson::dom::object object;
  if (!state_->parsed || state_->root.get(object) != simdjson::SUCCESS) return names;
  for (const simdjson::dom::key_value_pair field : object) names.emplace_back(field.key);
  return names;
}

bool JsonReader::FindStrings(std::span<const std::string> path,
                             std::vector<std::string_view>& strings) const {
  const std::optional<simdjson::dom::element> element = state_->ElementAt(path);
  simdjson::dom::array array;
  if (!element || element->get(array) != simdjson::SUCCESS) return false;
  const size_t before = strings.size();
  for (const simdjson::dom::element item : array) {
    const JsonField field = state_->FieldOf(item);
    if (field.type != JsonType::kString) {
      strings.resize(before);
      return false;
    }
    strings.push_back(field.string);
  }
  return true;
}

Result<std::vector<std::string>> ParseFieldPath(std::string_view dotted) {
  std::vector<std::string> parts;
  size_t begin = 0;
  while (begin <= dotted.size()) {
    const size_t end = std::min(dotted.find('.', begin), dotted.size());
    if (end == begin) {
      return Fail(ErrorCode::kInvalidArgument,
                  fmt::format("the field name \"{}\" has an empty part; write it as title or "
                              "meta.title",
                              dotted));
    }
    parts.emplace_back(dotted.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

}  // namespace zhiwen
