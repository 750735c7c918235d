#include <optional>
#include <string>

#include "base/json/json_writer.h"
#include "zhiwen/evaluation.h"
#include "zhiwen/version.h"

namespace zhiwen {
namespace {

constexpr int kDecimals = 6;

void WriteIfKnown(JsonWriter& json, std::optional<double> value) {
  value ? json.Fixed(*value, kDecimals) : json.Null();
}

void WriteName(JsonWriter& json, std::string_view key, const std::string& name) {
  json.Key(key);
  name.empty() ? json.Null() : json.String(name);
}

void WriteResult(JsonWriter& json, const std::optional<ThresholdResult>& result) {
  if (!result) {
    json.Null();
    return;
  }
  const PairDecisions& pairs = result->pairs;
  json.BeginObject();
  json.Key("threshold").Double(result->threshold);
  json.Key("found").Unsigned(pairs.found);
  json.Key("missed").Unsigned(pairs.missed);
  json.Key("mistaken").Unsigned(pairs.mistaken);
  json.Key("refused").Unsigned(pairs.refused);
  WriteIfKnown(json.Key("precision"), pairs.Precision());
  WriteIfKnown(json.Key("recall"), pairs.Recall());
  WriteIfKnown(json.Key("f1"), pairs.F1());
  WriteIfKnown(json.Key("false_positives"), pairs.FalsePositives());
  json.EndObject();
}

// Figures of one line each.
std::string CurveToJson(const std::vector<CurvePoint>& curve) {
  std::string out;
  JsonWriter json(out);
  json.BeginArray();
  for (const CurvePoint& point : curve) {
    json.BeginArray().Fixed(point.recall, kDecimals).Fixed(point.precision, kDecimals).EndArray();
  }
  json.EndArray();
  return out;
}

void WriteRow(JsonWriter& json, const EvaluationRow& row) {
  json.BeginObject();
  WriteName(json, "corpus", row.corpus);
  WriteName(json, "relation", row.relation);
  WriteName(json, "length", row.length);
  json.Key("copies").Unsigned(row.copies);
  json.Key("others").Unsigned(row.others);
  WriteResult(json.Key("at_source"), row.at_source);
  WriteResult(json.Key("at_best"), row.at_best);
  WriteIfKnown(json.Key("area"), row.area);
  json.Key("texts").Unsigned(row.texts);
  json.Key("texts_without_value").Unsigned(row.texts_without_value);
  json.Key("text_bytes").Unsigned(row.text_bytes);
  json.Key("value_bytes").Unsigned(row.value_bytes);
  json.Key("copies_by_similarity").Raw(CountsToJson(row.copies_by_similarity));
  json.Key("others_by_similarity").Raw(CountsToJson(row.others_by_similarity));
  if (!row.curve.empty()) json.Key("curve").Raw(CurveToJson(row.curve));
  json.EndObject();
}

void WriteScheme(JsonWriter& json, const SchemeEvaluation& scheme) {
  json.BeginObject();
  json.Key("scheme").String(scheme.scheme);
  json.Key("canonical_name").String(scheme.canonical_name);
  WriteName(json, "measure", scheme.measure);
  json.Key("source_threshold");
  scheme.source_threshold ? json.Double(*scheme.source_threshold) : json.Null();
  json.Key("bytes_per_second").Fixed(scheme.bytes_per_second, 0);
  json.Key("rows").BeginArray();
  for (const EvaluationRow& row : scheme.rows) WriteRow(json, row);
  json.EndArray().EndObject();
}

}  // namespace

std::string EvaluationToJson(const Evaluation& evaluation, std::span<const std::string> command) {
  std::string out;
  JsonWriter json(out, JsonWriter::Layout::kIndented);
  json.BeginObject();
  json.Key("version").String(Version());
  json.Key("command").BeginArray();
  for (const std::string& word : command) json.String(word);
  json.EndArray();
  json.Key("pairs").Unsigned(evaluation.pairs);
  json.Key("schemes").BeginArray();
  for (const SchemeEvaluation& scheme : evaluation.schemes) WriteScheme(json, scheme);
  json.EndArray();
  json.Key("skipped").BeginArray();
  for (const SkippedScheme& skipped : evaluation.skipped) {
    json.BeginObject().Key("scheme").String(skipped.scheme).Key("why").String(skipped.why);
    json.EndObject();
  }
  json.EndArray().EndObject();
  return out;
}

}  // namespace zhiwen
