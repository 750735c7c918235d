#include <optional>
#include <string>

#include "base/json/json_writer.h"
#include "zhiwen/calibration.h"
#include "zhiwen/version.h"

namespace zhiwen {
namespace {

constexpr uint64_t kSchemaVersion = 1;
constexpr int kShareDecimals = 12;  // one in 10⁹ pairs still has digits
constexpr int kResemblanceDecimals = 6;

// Returns {"share","low","high"}, on one line.
std::string IntervalToJson(const ShareInterval& interval) {
  std::string out;
  JsonWriter json(out);
  json.BeginObject();
  json.Key("share").Fixed(interval.share, kShareDecimals);
  json.Key("low").Fixed(interval.low, kShareDecimals);
  json.Key("high").Fixed(interval.high, kShareDecimals);
  json.EndObject();
  return out;
}

void WriteChanged(JsonWriter& json, const ChangedCopies& copies, double share,
                  std::optional<uint32_t> radius) {
  json.BeginObject();
  json.Key("share").Double(share);
  json.Key("copies").Unsigned(copies.copies);
  json.Key("without_code").Unsigned(copies.without_code);
  json.Key("by_distance").Raw(CountsToJson(copies.by_distance));
  json.Key("resemblance");
  if (copies.copies == 0) {
    json.Null();
  } else {
    std::string percentiles;
    JsonWriter list(percentiles);
    list.BeginArray();
    for (const double value : copies.resemblance) list.Fixed(value, kResemblanceDecimals);
    list.EndArray();
    json.Raw(percentiles);
  }
  json.Key("found");
  radius&& copies.copies > 0 ? json.Raw(IntervalToJson(copies.Found(*radius))) : json.Null();
  json.EndObject();
}

void WriteUnrelated(JsonWriter& json, const UnrelatedPairs& unrelated, uint32_t bits) {
  json.BeginObject();
  json.Key("pairs").Unsigned(unrelated.pairs());
  json.Key("by_distance").Raw(CountsToJson(unrelated.by_distance));
  json.Key("joined").BeginArray();  // by radius
  for (uint32_t radius = 0; radius <= bits / 2; ++radius) {
    json.Raw(IntervalToJson(unrelated.Joined(radius)));
  }
  json.EndArray().EndObject();
}

void WriteRecommendation(JsonWriter& json, const LengthCalibration& measured) {
  json.Key("verdict").String(NameOfVerdict(measured.verdict));
  json.Key("radius");
  measured.radius ? json.Unsigned(*measured.radius) : json.Null();
  json.Key("used_radius");
  measured.used_radius ? json.Unsigned(*measured.used_radius) : json.Null();
  const ShareInterval joined = measured.unrelated.Joined(measured.used_radius.value_or(0));
  json.Key("false_joins").Raw(IntervalToJson(joined));
  json.Key("documents").Unsigned(DocumentsWithFewFalseJoins(joined));
  json.Key("threshold");
  measured.threshold ? json.Double(*measured.threshold) : json.Null();
  json.Key("found_at_threshold");
  measured.threshold ? json.Raw(IntervalToJson(measured.found_at_threshold)) : json.Null();
}

void WriteLength(JsonWriter& json, const LengthCalibration& measured, const Calibration& all) {
  json.BeginObject();
  json.Key("from").Unsigned(measured.from);
  json.Key("to");
  measured.to == 0 ? json.Null() : json.Unsigned(measured.to);
  json.Key("texts").Unsigned(measured.texts);
  json.Key("without_code").Unsigned(measured.without_code);
  WriteRecommendation(json, measured);
  json.Key("changed").BeginArray();
  for (size_t i = 0; i < kChangedShares.size(); ++i) {
    WriteChanged(json, measured.changed[i], kChangedShares[i], measured.used_radius);
  }
  json.EndArray();
  WriteUnrelated(json.Key("unrelated"), measured.unrelated, all.bits);
  json.Key("related").BeginArray();
  for (size_t i = 0; i < kRelatedFrom.size(); ++i) {
    json.BeginObject().Key("from").Double(i == 0 ? all.unrelated : kRelatedFrom[i]);
    json.Key("by_distance").Raw(CountsToJson(measured.related[i])).EndObject();
  }
  json.EndArray().EndObject();
}

}  // namespace

std::string CalibrationToJson(const Calibration& calibration,
                              std::span<const std::string> command) {
  std::string out;
  JsonWriter json(out, JsonWriter::Layout::kIndented);
  json.BeginObject();
  json.Key("schema_version").Unsigned(kSchemaVersion);
  json.Key("version").String(Version());
  json.Key("command").BeginArray();
  for (const std::string& word : command) json.String(word);
  json.EndArray();
  json.Key("scheme").String(calibration.scheme);
  json.Key("bits").Unsigned(calibration.bits);
  json.Key("sample").BeginObject();
  json.Key("documents").Unsigned(calibration.documents);
  json.Key("texts").Unsigned(calibration.texts);
  json.Key("texts_wanted").Unsigned(calibration.texts_wanted);
  json.Key("empty").Unsigned(calibration.empty);
  json.Key("too_long").Unsigned(calibration.too_long);
  json.Key("seed").Unsigned(calibration.seed);
  json.EndObject();
  json.Key("target").BeginObject();
  json.Key("unrelated_below").Double(calibration.unrelated);
  json.Key("false_joins_one_in").Unsigned(calibration.false_joins_one_in);
  json.Key("changed").Double(calibration.changed);
  json.Key("found").Double(calibration.found);
  json.EndObject();
  json.Key("unfit_below");
  calibration.unfit_below ? json.Unsigned(*calibration.unfit_below) : json.Null();
  WriteLength(json.Key("all"), calibration.all, calibration);
  json.Key("lengths").BeginArray();
  for (const LengthCalibration& length : calibration.lengths) {
    WriteLength(json, length, calibration);
  }
  json.EndArray().EndObject();
  return out;
}

}  // namespace zhiwen
