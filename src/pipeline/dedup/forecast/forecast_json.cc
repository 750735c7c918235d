#include "base/json/json_writer.h"
#include "zhiwen/dedup_forecast.h"

namespace zhiwen {
namespace {

constexpr uint64_t kSchemaVersion = 2;
constexpr int kSecondsDecimals = 3;
constexpr int kShareDecimals = 6;

void WriteRange(const ForecastRange& range, JsonWriter& json) {
  json.BeginObject();
  json.Key("estimate").Fixed(range.value, 0);
  json.Key("low").Fixed(range.low, 0);
  json.Key("high").Fixed(range.high, 0);
  json.Key("is_close").Bool(range.IsClose());
  json.EndObject();
}

void WriteOptional(const std::optional<uint64_t>& value, JsonWriter& json) {
  if (value) {
    json.Unsigned(*value);
  } else {
    json.Null();
  }
}

void WriteSample(const DedupForecast& forecast, JsonWriter& json) {
  json.Key("sample").BeginObject();
  json.Key("is_whole").Bool(forecast.is_whole);
  json.Key("files").Unsigned(forecast.sample_files);
  json.Key("places").Unsigned(forecast.sample_places);
  json.Key("text_bytes").Unsigned(forecast.sample_bytes);
  json.Key("documents").Unsigned(forecast.sample_documents);
  json.Key("share_of_documents").Fixed(forecast.sample_share, kShareDecimals);
  if (const auto& against = forecast.against) {
    json.Key("against").BeginObject();
    json.Key("references").Unsigned(against->references);
    json.Key("hit").Unsigned(against->hit);
    json.Key("unmatchable").Unsigned(against->unmatchable);
    json.EndObject();
  }
  json.EndObject();
}

void WriteCorpus(const DedupForecast& forecast, JsonWriter& json) {
  json.Key("files").Unsigned(forecast.files);
  json.Key("input_bytes").Unsigned(forecast.input_bytes);
  json.Key("text_bytes").Unsigned(forecast.text_bytes);
  json.Key("kept_bytes").Unsigned(forecast.kept_bytes);
  json.Key("documents");
  WriteRange(forecast.documents, json);
  json.Key("failed_share").Fixed(forecast.failed_share, kShareDecimals);
  json.Key("removed");
  WriteRange(forecast.removed, json);
  json.Key("candidate_pairs");
  WriteRange(forecast.candidate_pairs, json);
}

void WriteNeeds(const DedupForecast& forecast, JsonWriter& json) {
  json.Key("memory").BeginObject();
  json.Key("allowed_bytes").Unsigned(forecast.memory_bytes);
  json.Key("least_bytes").Unsigned(forecast.least_memory_bytes);
  json.EndObject();
  json.Key("disk").BeginObject();
  json.Key("output_bytes").Unsigned(forecast.output_room_bytes);
  json.Key("output_free_bytes");
  WriteOptional(forecast.output_free_bytes, json);
  json.Key("needs_scratch").Bool(forecast.needs_scratch);
  json.Key("scratch_bytes");
  WriteRange(
      {static_cast<double>(forecast.scratch_bytes), static_cast<double>(forecast.scratch_low_bytes),
       static_cast<double>(forecast.scratch_high_bytes)},
      json);
  json.Key("scratch_free_bytes");
  WriteOptional(forecast.scratch_free_bytes, json);
  json.Key("is_one_disk").Bool(forecast.is_one_disk);
  json.EndObject();
}

void WriteNotes(const DedupForecast& forecast, JsonWriter& json) {
  json.Key("damaged_files").BeginArray();
  for (const auto& [file, message] : forecast.damaged_files) {
    json.BeginObject();
    json.Key("file").String(file);
    json.Key("message").String(message);
    json.EndObject();
  }
  json.EndArray();
  json.Key("notes").BeginArray();
  for (const std::string& note : forecast.notes) json.String(note);
  json.EndArray();
}

void WriteTime(const DedupForecast& forecast, JsonWriter& json) {
  json.Key("time").BeginObject();
  json.Key("threads").Unsigned(forecast.threads);
  json.Key("wall_seconds").Fixed(forecast.wall_seconds, kSecondsDecimals);
  json.Key("cpu_seconds").Fixed(forecast.cpu_seconds, kSecondsDecimals);
  json.Key("stages").BeginArray();
  for (const ForecastStage& stage : forecast.stages) {
    json.BeginObject();
    json.Key("name").String(stage.name);
    json.Key("wall_seconds").Fixed(stage.wall_seconds, kSecondsDecimals);
    json.Key("cpu_seconds").Fixed(stage.cpu_seconds, kSecondsDecimals);
    json.EndObject();
  }
  json.EndArray();
  json.EndObject();
}

}  // namespace

std::string DedupForecastToJson(const DedupForecast& forecast) {
  std::string text;
  JsonWriter json(text, JsonWriter::Layout::kIndented);
  json.BeginObject();
  json.Key("schema_version").Unsigned(kSchemaVersion);
  WriteSample(forecast, json);
  WriteCorpus(forecast, json);
  WriteNeeds(forecast, json);
  WriteTime(forecast, json);
  WriteNotes(forecast, json);
  json.Key("succeeds").Bool(forecast.succeeds());
  json.Key("problems").BeginArray();
  for (const ForecastProblem& problem : forecast.problems) {
    json.BeginObject();
    json.Key("exit_status").Unsigned(static_cast<uint64_t>(TraitsOf(problem.code).exit_status));
    json.Key("reason").String(TraitsOf(problem.code).name);
    json.Key("message").String(problem.message);
    json.Key("advice").BeginArray();
    for (const Advice advice : problem.advice) json.String(AdviceName(advice));
    json.EndArray();
    json.EndObject();
  }
  json.EndArray();
  json.EndObject();
  text += '\n';
  return text;
}

}  // namespace zhiwen
