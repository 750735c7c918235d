#include "pipeline/evidence/capture_facts.h"

#include <algorithm>
#include <map>
#include <optional>

#include "base/json/json_writer.h"
#include "base/utf8/ascii.h"
#include "document/warc/header_fields.h"
#include "document/warc/http_message.h"
#include "document/warc/warc_record.h"

namespace zhiwen {
namespace {

constexpr std::string_view kWarcFields = "application/warc-fields";

// What says a part, and what it says where that is short.
struct SaidPart {
  std::string from, value;
};

void WriteLines(JsonWriter& json, std::string_view key,
                const std::vector<std::string_view>& lines) {
  json.Key(key).BeginArray();
  for (const std::string_view line : lines) json.String(line);
  json.EndArray();
}

class CaptureReader {
 public:
  explicit CaptureReader(const PackedCapture& capture) : capture_(capture) {}

  CaptureFacts Read();

 private:
  void ReadRecord(const WarcRecord& record);
  void ReadResponse(const WarcRecord& record);
  void ReadMetadata(const WarcRecord& record);
  void Say(std::string_view part, std::string_view from, std::string value = "") {
    said_.try_emplace(part, SaidPart{std::string(from), std::move(value)});
  }
  void WriteHops(JsonWriter& json) const;
  void WriteParts(JsonWriter& json) const;

  const PackedCapture& capture_;
  std::map<std::string_view, SaidPart> said_;         // by part
  std::vector<std::string_view> request_, response_;  // lines of the heads
  CaptureFacts facts_;
};

size_t BehindFirstLine(std::string_view message) {
  const size_t end = message.find('\n');
  return end == std::string_view::npos ? message.size() : end + 1;
}

// Returns the lines of a head, without those that are empty.
std::vector<std::string_view> LinesOf(std::string_view head) {
  std::vector<std::string_view> lines;
  while (!head.empty()) {
    const std::string_view line = TakePart(head, '\n');
    if (!line.empty()) lines.push_back(line);
  }
  return lines;
}

void CaptureReader::ReadResponse(const WarcRecord& record) {
  const std::optional<HttpHead> head = ParseHttpHead(record.payload);
  if (!head) return;
  response_ = LinesOf(record.payload.substr(0, head->bytes));
  Say("headers", "the response");
  if (capture_.redirects.empty()) {
    Say("redirect-chain", "the response", "no redirect leads to the address in the WARC file");
  } else {
    Say("redirect-chain", kRedirectsFile);
  }
}

// Parts by their names; what a file of the user says counts more.
void CaptureReader::ReadMetadata(const WarcRecord& record) {
  if (!StartsInAnyCase(record.header.content_type, kWarcFields)) return;
  HeaderFields fields(record.payload);
  while (const auto field = fields.Next()) {
    const std::string name = LowerAsciiOf(field->name);
    const auto part = std::ranges::find(kCaptureParts, std::string_view(name));
    if (part == kCaptureParts.end() || field->value.empty()) continue;
    Say(*part, "a metadata record", UnfoldValue(field->value));
  }
}

void CaptureReader::ReadRecord(const WarcRecord& record) {
  const std::string_view head =
      capture_.records.substr(record.begin, record.payload_begin - record.begin);
  if (HasContent(record.header.type)) {
    facts_.url = UnfoldValue(record.header.target_uri);
    facts_.fetched = UnfoldValue(record.header.date);
    if (!facts_.url.empty()) Say("url", "WARC-Target-URI", facts_.url);
  }
  const std::string address = HeaderValue(head, "WARC-IP-Address");
  if (!address.empty()) Say("ip", "WARC-IP-Address", address);
  if (record.header.type == WarcRecordType::kResponse) ReadResponse(record);
  if (record.header.type == WarcRecordType::kMetadata) ReadMetadata(record);
  if (record.header.type == WarcRecordType::kRequest) {
    const size_t begin = BehindFirstLine(record.payload);
    HeaderFields fields(record.payload.substr(begin));
    while (fields.Next()) continue;
    request_ = LinesOf(record.payload.substr(0, begin + fields.offset()));
    Say("request", "the request");
  }
}

void CaptureReader::WriteHops(JsonWriter& json) const {
  json.Key("redirects").BeginArray();
  for (const WarcRecord& record : FindWarcRecords(capture_.redirects)) {
    if (record.header.type != WarcRecordType::kResponse) continue;
    const std::optional<HttpHead> head = ParseHttpHead(record.payload);
    json.BeginObject().Key("url").String(UnfoldValue(record.header.target_uri));
    json.Key("fetched").String(UnfoldValue(record.header.date)).Key("status");
    head && head->status ? json.Unsigned(static_cast<uint64_t>(*head->status)) : json.Null();
    json.Key("location").String(HeaderValue(record.payload, "Location")).EndObject();
  }
  json.EndArray();
}

void CaptureReader::WriteParts(JsonWriter& json) const {
  json.Key("parts").BeginArray();
  for (const std::string_view part : kCaptureParts) {
    const auto said = said_.find(part);
    if (said == said_.end()) continue;
    json.BeginObject().Key("part").String(part).Key("from").String(said->second.from);
    if (!said->second.value.empty()) json.Key("value").String(said->second.value);
    json.EndObject();
  }
  json.EndArray().Key("incomplete").BeginArray();
  for (const std::string& part : facts_.incomplete) json.String(part);
  json.EndArray();
}

CaptureFacts CaptureReader::Read() {
  for (const std::string_view path : capture_.given) {
    const std::string_view name = path.substr(path.rfind('/') + 1);
    const auto part = std::ranges::find(kCaptureParts, name.substr(0, name.find('.')));
    if (part != kCaptureParts.end()) Say(*part, path);
  }
  if (!capture_.records.empty()) Say("warc-records", "the source");
  for (const WarcRecord& record : FindWarcRecords(capture_.records)) ReadRecord(record);
  if (!capture_.lookups.empty()) Say("dns", kLookupsFile);
  if (StartsInAnyCase(facts_.url, "http:")) {
    Say("tls-chain", "WARC-Target-URI", "the address is one of http, without TLS");
  }
  for (const std::string_view part : kCaptureParts) {
    if (!said_.contains(part)) facts_.incomplete.emplace_back(part);
  }
  JsonWriter json(facts_.json, JsonWriter::Layout::kIndented);
  json.BeginObject().Key("url").String(facts_.url).Key("fetched").String(facts_.fetched);
  WriteHops(json);
  WriteLines(json, "request", request_);
  WriteLines(json, "response", response_);
  WriteParts(json);
  json.EndObject();
  facts_.json += '\n';
  return std::move(facts_);
}

}  // namespace

std::string HeaderValue(std::string_view message, std::string_view name) {
  HeaderFields fields(message.substr(BehindFirstLine(message)));
  while (const auto field = fields.Next()) {
    if (EqualsInAnyCase(field->name, name)) return UnfoldValue(field->value);
  }
  return "";
}

CaptureFacts DescribeCapture(const PackedCapture& capture) { return CaptureReader(capture).Read(); }

std::optional<CaptureFacts> DescribePackedCapture(
    const EvidenceManifest& manifest, const std::vector<std::string_view>& paths,
    const std::function<std::string_view(std::string_view path)>& bytes_of) {
  PackedCapture capture = {.redirects = bytes_of(kRedirectsFile),
                           .lookups = bytes_of(kLookupsFile)};
  if (manifest.format == DocumentFormat::kWarc) capture.records = bytes_of(manifest.source);
  for (const std::string_view path : paths) {
    if (path.starts_with(kGivenFolder)) capture.given.push_back(path);
  }
  if (capture.records.empty() && capture.given.empty()) return std::nullopt;
  return DescribeCapture(capture);
}

}  // namespace zhiwen
