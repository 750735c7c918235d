#include "pipeline/dedup/write/kept_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>

#include "base/json/json_writer.h"
#include "base/utf8/text_encoding.h"
#include "base/utf8/transcoder.h"
#include "base/utf8/utf8.h"

namespace zhiwen {
namespace {

// A record by its ASCII characters, whatever its encoding.
class Units {
 public:
  Units(std::string_view record, TextEncoding encoding)
      : record_(record), unit_(UnitBytes(encoding)) {
    if (unit_ > 1) ProjectUtf16(record, encoding, projected_);
  }
  std::string_view ascii() const { return unit_ > 1 ? projected_ : record_; }
  std::string_view Before(size_t place) const { return record_.substr(0, place * unit_); }
  std::string_view Behind(size_t place) const {
    return record_.substr(std::min(place * unit_, record_.size()));
  }

 private:
  std::string_view record_;
  size_t unit_;
  std::string projected_;
};

// Names were looked at when the file was opened: each can be encoded.
void AppendEncoded(const std::string& text, TextEncoding encoding, std::string& out) {
  out += encoding == TextEncoding::kUtf8 ? text : EncodeText(text, encoding).value_or(text);
}

// A name of a document, of which the encoding may lack characters: replace(code point, out) stands
// for these.
template <typename Replace>
std::string Encodable(const std::string& name, TextEncoding encoding, const Replace& replace) {
  if (encoding == TextEncoding::kUtf8 || EncodeText(name, encoding)) return name;
  std::string out;
  VisitCodePoints(name, [&](DecodedCodePoint decoded, size_t at) {
    const std::string_view character = std::string_view(name).substr(at, decoded.length);
    if (EncodeText(character, encoding)) {
      out += character;
    } else {
      replace(decoded.code_point, out);
    }
  });
  return out;
}

// As a string of JSON has it, by its units of UTF-16.
void AppendEscape(uint32_t code_point, std::string& out) {
  if (code_point < 0x10000) {
    out += fmt::format("\\u{:04x}", code_point);
    return;
  }
  const uint32_t rest = code_point - 0x10000;
  out += fmt::format("\\u{:04x}\\u{:04x}", 0xD800 + (rest >> 10), 0xDC00 + (rest & 0x3FF));
}

// Where the line end of a record begins.
size_t EndOfBody(std::string_view record) {
  size_t size = record.size();
  if (size > 0 && record[size - 1] == '\n') --size;
  if (size > 0 && record[size - 1] == '\r') --size;
  return size;
}

void AppendField(const std::string& name, std::string_view value, bool& is_first,
                 std::string& out) {
  if (!is_first) out += ',';
  is_first = false;
  JsonWriter(out).String(name);
  out += ':';
  out += value;
}

void AppendJson(std::string_view record, TextEncoding encoding, const AddedFields& fields,
                const AddedValues& values, std::string& out) {
  const Units units(record, encoding);
  const std::string_view ascii = units.ascii();
  const size_t brace = ascii.rfind('}');
  const size_t before = ascii.find_last_not_of(" \t\r\n", brace - 1);
  bool is_first = before != std::string_view::npos && ascii[before] == '{';
  std::string added;
  if (fields.mark) AppendField(*fields.mark, values.removed ? "true" : "false", is_first, added);
  if (fields.mark_keeper) {
    std::string keeper = "null";
    if (!values.keeper.empty()) {
      keeper.clear();
      JsonWriter(keeper).String(values.keeper);
      keeper = Encodable(keeper, encoding, AppendEscape);
    }
    AppendField(*fields.mark_keeper, keeper, is_first, added);
  }
  if (fields.cluster_size) {
    AppendField(*fields.cluster_size, fmt::format_int(values.cluster_size).str(), is_first, added);
  }
  out += units.Before(brace);
  AppendEncoded(added, encoding, out);
  out += units.Behind(brace);
}

bool IsJson(const InputFile& input) {
  return input.format == RecordFormat::kJsonLines || input.format == RecordFormat::kJsonArray;
}

void AppendColumn(char separator, std::string_view value, std::string& out) {
  out += separator;
  if (value.find_first_of("\",\t\r\n") == std::string_view::npos &&
      value.find(separator) == std::string_view::npos) {
    out += value;
    return;
  }
  out += '"';
  for (const char c : value) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

// Appends a record of CSV, or the line with the names, with `columns` as its last ones.
void AppendColumns(std::string_view record, TextEncoding encoding, const std::string& columns,
                   std::string& out) {
  const Units units(record, encoding);
  const size_t end = EndOfBody(units.ascii());
  out += units.Before(end);
  AppendEncoded(columns, encoding, out);
  out += units.Behind(end);
}

// Cuts a record in UTF-8; the byte order mark of a text stays and does not count.
std::optional<std::string> CutUtf8(const InputFile& input, const RecordHead* head,
                                   std::string_view record, const std::string& text,
                                   std::span<const TextCut> cuts) {
  if (IsJson(input)) return CutJsonRecord(record, text, cuts);
  if (input.format == RecordFormat::kText) {
    const size_t mark = record.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
    std::optional<std::string> rest = CutText(record.substr(mark), cuts);
    if (rest) rest->insert(0, record.substr(0, mark));
    return rest;
  }
  if (head == nullptr) return std::nullopt;
  const auto column = std::ranges::find(head->fields, text) - head->fields.begin();
  return CutCsvRecord(record, head->separator, static_cast<size_t>(column), cuts);
}

}  // namespace

Result<std::string> CutKeptRecord(const InputFile& input, const RecordHead* head,
                                  std::string_view record, const std::string& text,
                                  const DocumentCuts& cuts) {
  const TextEncoding encoding = input.encoding.value_or(TextEncoding::kUtf8);
  std::string decoded;
  if (encoding != TextEncoding::kUtf8) {
    ZHIWEN_ASSIGN_OR_RETURN(TextDecoder decoder, TextDecoder::Create(encoding));
    decoder.Decode(record, decoded);
  }
  const std::string_view utf8 = encoding == TextEncoding::kUtf8 ? record : decoded;
  std::optional<std::string> rest = CutUtf8(input, head, utf8, text, cuts.cuts);
  if (!rest) {
    return Fail(ErrorCode::kInternal,
                fmt::format("the text of a record of \"{}\" is not the one that was cut; nothing "
                            "was published. Please report it with the record",
                            input.path));
  }
  if (encoding == TextEncoding::kUtf8) return *std::move(rest);
  return EncodeRest(record, encoding, *rest);
}

void AppendKeptRecord(const InputFile& input, std::string_view record, const AddedFields& fields,
                      const AddedValues& values, std::string& out) {
  if (!fields.any()) {
    out += record;
    return;
  }
  const TextEncoding encoding = input.encoding.value_or(TextEncoding::kUtf8);
  if (IsJson(input)) return AppendJson(record, encoding, fields, values, out);
  const char separator = SeparatorOf(input);
  std::string columns;
  if (fields.mark) AppendColumn(separator, values.removed ? "true" : "false", columns);
  if (fields.mark_keeper) {
    const auto unknown = [](uint32_t, std::string& name) { name += '?'; };
    AppendColumn(separator, Encodable(values.keeper, encoding, unknown), columns);
  }
  if (fields.cluster_size) {
    AppendColumn(separator, fmt::format_int(values.cluster_size).str(), columns);
  }
  AppendColumns(record, encoding, columns, out);
}

void AppendKeptHead(const InputFile& input, std::string_view head, const AddedFields& fields,
                    std::string& out) {
  if (!fields.any() || IsJson(input)) {
    out += head;
    return;
  }
  const char separator = SeparatorOf(input);
  std::string columns;
  if (fields.mark) AppendColumn(separator, *fields.mark, columns);
  if (fields.mark_keeper) AppendColumn(separator, *fields.mark_keeper, columns);
  if (fields.cluster_size) AppendColumn(separator, *fields.cluster_size, columns);
  AppendColumns(head, input.encoding.value_or(TextEncoding::kUtf8), columns, out);
}

}  // namespace zhiwen
