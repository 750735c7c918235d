#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/json/json_writer.h"
#include "pipeline/evidence/manifest.h"
#include "zhiwen/evidence.h"

namespace zhiwen {
namespace {

void WriteTimestamp(JsonWriter& json, const std::optional<EvidenceTimestamp>& stamp) {
  json.Key("timestamp");
  if (!stamp) {
    json.Null();
    return;
  }
  json.BeginObject().Key("time").String(stamp->time).Key("authority").String(stamp->authority);
  json.Key("authority_is_known").Bool(stamp->is_authority_known).EndObject();
}

void WriteCapture(JsonWriter& json, const std::optional<EvidenceCapture>& capture) {
  json.Key("capture");
  if (!capture) {
    json.Null();
    return;
  }
  json.BeginObject().Key("url").String(capture->url).Key("fetched").String(capture->fetched);
  WriteStrings(json, "incomplete", capture->incomplete);
  json.EndObject();
}

}  // namespace

std::string_view EvidenceFaultName(EvidenceFault fault) {
  switch (fault) {
    case EvidenceFault::kMissing:
      return "missing";
    case EvidenceFault::kAdded:
      return "added";
    case EvidenceFault::kDiffers:
      return "differs";
    case EvidenceFault::kMalformed:
      return "malformed";
    case EvidenceFault::kOtherData:
      return "other_data";
    case EvidenceFault::kBadSignature:
      return "bad_signature";
    case EvidenceFault::kUnknownAuthority:
      return "unknown_authority";
    case EvidenceFault::kExpired:
      return "expired";
    case EvidenceFault::kNotRepeated:
      break;
  }
  return "not_repeated";
}

std::vector<std::string> Reservations(const EvidenceReport& report) {
  std::vector<std::string> out;
  if (report.capture && !report.capture->incomplete.empty()) {
    out.push_back(fmt::format("nothing says these parts of the capture: {}",
                              fmt::join(report.capture->incomplete, ", ")));
  }
  if (!report.not_repeated.empty()) {
    out.push_back("nothing was computed again: " + report.not_repeated);
  }
  if (!report.text_not_repeated.empty()) {
    out.push_back("the text was not read again: " + report.text_not_repeated);
  }
  if (report.timestamp && !report.timestamp->is_authority_known) {
    out.emplace_back("that the authority of the time stamp is a trusted one was not checked");
  }
  return out;
}

std::string EvidenceToJson(const EvidenceSummary& summary, const EvidenceOptions& options) {
  std::string out;
  JsonWriter json(out);
  json.BeginObject().Key("package").String(options.package);
  json.Key("suspect").String(options.suspect);
  json.Key("verdict").String(RelationName(summary.checked.verdict));
  json.Key("matches").Unsigned(summary.checked.matches.size());
  json.Key("originals").Unsigned(summary.originals).Key("bytes").Unsigned(summary.bytes);
  json.Key("manifest_sha256").String(summary.manifest_hash);
  WriteCapture(json, summary.capture);
  json.Key("check").Raw(CheckToJson(summary.checked, options.suspect, options.folder)).EndObject();
  return out;
}

std::string EvidenceReportToJson(const EvidenceReport& report, std::string_view package) {
  std::string out;
  JsonWriter json(out);
  json.BeginObject().Key("package").String(package).Key("agrees").Bool(report.agrees());
  json.Key("manifest_sha256").String(report.manifest_hash);
  json.Key("zhiwen").String(report.zhiwen).Key("language").String(report.language);
  json.Key("made").String(report.made).Key("suspect").String(report.suspect);
  json.Key("verdict").String(report.verdict).Key("files").Unsigned(report.files);
  json.Key("originals").Unsigned(report.originals);
  json.Key("repeated").Bool(report.not_repeated.empty());
  json.Key("not_repeated").String(report.not_repeated);
  json.Key("text_not_repeated").String(report.text_not_repeated);
  WriteTimestamp(json, report.timestamp);
  WriteCapture(json, report.capture);
  WriteStrings(json, "reservations", Reservations(report));
  json.Key("problems").BeginArray();
  for (const EvidenceProblem& problem : report.problems) {
    json.BeginObject().Key("file").String(problem.file);
    json.Key("fault").String(EvidenceFaultName(problem.fault));
    json.Key("message").String(problem.message).EndObject();
  }
  json.EndArray().EndObject();
  return out;
}

std::string StampToJson(const StampSummary& summary, std::string_view package) {
  std::string out;
  JsonWriter json(out);
  json.BeginObject().Key("package").String(package);
  json.Key("manifest_sha256").String(summary.manifest_hash);
  WriteTimestamp(json, summary.timestamp);
  json.EndObject();
  return out;
}

}  // namespace zhiwen
