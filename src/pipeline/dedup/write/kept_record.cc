#include "pipeline/dedup/write/kept_record.h"

#include <fmt/format.h>

#include "base/json/json_writer.h"

namespace zhiwen {
namespace {

// The record without its line end, and the line end.
struct Line {
  std::string_view body, end;
};

Line SplitEnd(std::string_view record) {
  size_t size = record.size();
  if (size > 0 && record[size - 1] == '\n') --size;
  if (size > 0 && record[size - 1] == '\r') --size;
  return {record.substr(0, size), record.substr(size)};
}

void AppendField(const std::string& name, std::string_view value, bool& is_first,
                 std::string& out) {
  if (!is_first) out += ',';
  is_first = false;
  JsonWriter(out).String(name);
  out += ':';
  out += value;
}

void AppendJson(std::string_view record, const AddedFields& fields, const AddedValues& values,
                std::string& out) {
  const size_t brace = record.rfind('}');
  const size_t before = record.find_last_not_of(" \t\r\n", brace - 1);
  bool is_first = before != std::string_view::npos && record[before] == '{';
  out += record.substr(0, brace);
  if (fields.mark) AppendField(*fields.mark, values.removed ? "true" : "false", is_first, out);
  if (fields.mark_keeper) {
    std::string keeper = "null";
    if (!values.keeper.empty()) {
      keeper.clear();
      JsonWriter(keeper).String(values.keeper);
    }
    AppendField(*fields.mark_keeper, keeper, is_first, out);
  }
  if (fields.cluster_size) {
    AppendField(*fields.cluster_size, fmt::format_int(values.cluster_size).str(), is_first, out);
  }
  out += record.substr(brace);
}

void AppendColumn(char separator, std::string_view value, std::string& out) {
  out += separator;
  if (value.find_first_of("\",\t\r\n") == std::string_view::npos) {
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

char SeparatorOf(RecordFormat format) { return format == RecordFormat::kTsv ? '\t' : ','; }

}  // namespace

void AppendKeptRecord(RecordFormat format, std::string_view record, const AddedFields& fields,
                      const AddedValues& values, std::string& out) {
  if (!fields.any()) {
    out += record;
    return;
  }
  if (format == RecordFormat::kJsonLines) return AppendJson(record, fields, values, out);
  const Line line = SplitEnd(record);
  const char separator = SeparatorOf(format);
  out += line.body;
  if (fields.mark) AppendColumn(separator, values.removed ? "true" : "false", out);
  if (fields.mark_keeper) AppendColumn(separator, values.keeper, out);
  if (fields.cluster_size) {
    AppendColumn(separator, fmt::format_int(values.cluster_size).str(), out);
  }
  out += line.end;
}

void AppendKeptHead(RecordFormat format, std::string_view head, const AddedFields& fields,
                    std::string& out) {
  if (!fields.any() || format == RecordFormat::kJsonLines) {
    out += head;
    return;
  }
  const Line line = SplitEnd(head);
  const char separator = SeparatorOf(format);
  out += line.body;
  if (fields.mark) AppendColumn(separator, *fields.mark, out);
  if (fields.mark_keeper) AppendColumn(separator, *fields.mark_keeper, out);
  if (fields.cluster_size) AppendColumn(separator, *fields.cluster_size, out);
  out += line.end;
}

}  // namespace zhiwen
