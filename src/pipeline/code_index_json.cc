#include <fmt/format.h>

#include "base/json/json_writer.h"
#include "zhiwen/json_forms.h"

namespace zhiwen {
namespace {

void WriteId(JsonWriter& json, std::string_view key, std::string_view label) {
  json.Key(key);
  label.empty() ? json.Null() : json.String(label);
}

void WriteStrings(JsonWriter& json, std::string_view key, const std::vector<std::string>& values) {
  json.Key(key).BeginArray();
  for (const std::string& value : values) json.String(value);
  json.EndArray();
}

void WriteSegments(JsonWriter& json, const CodeIndexStats& stats) {
  json.Key("segments").BeginArray();
  for (const CodeSegmentStats& segment : stats.segments) {
    json.BeginObject().Key("file").String(segment.file);
    json.Key("codes").Unsigned(segment.codes);
    json.Key("rows").Unsigned(segment.rows);
    json.Key("deleted_rows").Unsigned(segment.deleted_rows);
    json.Key("bytes").Unsigned(segment.bytes).EndObject();
  }
  json.EndArray();
}

void WriteIndex(JsonWriter& json, const CodeIndexOptions& options, const CodeIndexStats& stats,
                std::string_view path) {
  json.Key("index").String(path);
  json.Key("kind").String(CodeIndexKind(options));
  json.Key("rows").Unsigned(stats.rows());
  json.Key("bytes").Unsigned(stats.bytes());
  json.Key("generation").Unsigned(stats.generation);
  json.Key("sequence").Unsigned(stats.sequence);
  json.Key("log_rows").Unsigned(stats.log_rows);
  json.Key("log_bytes").Unsigned(stats.log_bytes);
  WriteSegments(json, stats);
}

}  // namespace

std::string CodeIndexKind(const CodeIndexOptions& options) {
  return fmt::format("hamming{}", options.code_bits);
}

std::string CodeToHex(uint64_t code, const CodeIndexOptions& options) {
  return fmt::format("{:0{}x}", code, options.code_bits / 4);
}

std::string CodeIndexToJson(const CodeIndexOptions& options, const CodeIndexStats& stats,
                            std::string_view path) {
  std::string out;
  JsonWriter json(out, JsonWriter::Layout::kIndented);
  json.BeginObject();
  WriteIndex(json, options, stats, path);
  json.EndObject();
  return out;
}

std::string CodeChangesToJson(const CodeChangeReport& change, const CodeIndexOptions& options,
                              const CodeIndexStats& stats, std::string_view path) {
  std::string out;
  JsonWriter json(out, JsonWriter::Layout::kIndented);
  json.BeginObject();
  json.Key("action").String(change.action);
  json.Key("read").Unsigned(change.read);
  if (change.action == "remove") {
    json.Key("removed");
    change.removed ? json.Unsigned(*change.removed) : json.Null();
  }
  WriteIndex(json, options, stats, path);
  json.EndObject();
  return out;
}

std::string CodeIndexCheckToJson(const CodeIndexCheck& check, std::string_view path) {
  std::string out;
  JsonWriter json(out, JsonWriter::Layout::kIndented);
  json.BeginObject();
  json.Key("index").String(path);
  WriteStrings(json, "problems", check.problems);
  WriteStrings(json, "leftovers", check.leftovers);
  json.Key("rows").Unsigned(check.stats.rows());
  json.Key("bytes").Unsigned(check.stats.bytes());
  WriteSegments(json, check.stats);
  json.EndObject();
  return out;
}

void AppendCodeQuery(std::string& out, const CodeQueryResult& query, const CodeAnswer& answer,
                     const CodeIndexOptions& options) {
  JsonWriter json(out);
  json.BeginObject();
  json.Key("query").String(CodeToHex(query.code, options));
  WriteId(json, "query_id", query.label);
  json.Key("truncated").Bool(query.is_truncated);
  json.Key("matches").BeginArray();
  for (const CodeMatch& match : query.matches) {
    json.BeginObject().Key("code").String(CodeToHex(match.code, options));
    json.Key("distance").Unsigned(match.distance);
    WriteId(json, "id", answer.LabelOf(match));
    json.EndObject();
  }
  json.EndArray().EndObject();
  out += '\n';
}

void AppendCodePair(std::string& out, const CodeRowPair& pair, const CodeIndexOptions& options) {
  JsonWriter json(out);
  json.BeginObject();
  json.Key("distance").Unsigned(pair.distance);
  json.Key("a").BeginObject().Key("code").String(CodeToHex(pair.a, options));
  WriteId(json, "id", pair.label_a);
  json.EndObject();
  json.Key("b").BeginObject().Key("code").String(CodeToHex(pair.b, options));
  WriteId(json, "id", pair.label_b);
  json.EndObject().EndObject();
  out += '\n';
}

}  // namespace zhiwen
