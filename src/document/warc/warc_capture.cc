#include "document/warc/warc_capture.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "document/warc/header_fields.h"

namespace zhiwen {
namespace {

struct NoDocumentRow {
  std::string_view name, words;
};

// In the order of NoDocument.
constexpr std::array<NoDocumentRow, 11> kNoDocuments = {{
    {"warcinfo", "a description of the file or of the crawl"},
    {"revisit", "a revisit, whose content is stored with an earlier capture"},
    {"no_response", "a request or metadata without a response"},
    {"segment", "a part of a record that was written in segments"},
    {"other_record", "a record of a type that is not known"},
    {"name_lookup", "an answer of the name system"},
    {"redirect", "a redirect to another address"},
    {"error_status", "an answer without success"},
    {"media", "a picture, sound, film or font"},
    {"code", "a style sheet, a script or data for scripts"},
    {"empty", "an empty answer"},
}};

// Types that begin so.
constexpr std::string_view kMediaTypes[] = {"image/",
                                            "audio/",
                                            "video/",
                                            "font/",
                                            "model/",
                                            "application/font",
                                            "application/x-font",
                                            "application/vnd.ms-fontobject",
                                            "application/ogg",
                                            "application/x-shockwave-flash"};
constexpr std::string_view kCodeTypes[] = {
    "text/css",         "text/javascript",          "application/javascript",
    "text/ecmascript",  "application/x-javascript", "application/ecmascript",
    "application/json", "application/ld+json",      "application/manifest+json",
    "application/wasm"};

template <size_t count>
bool BeginsWithOne(std::string_view name, const std::string_view (&types)[count]) {
  return std::ranges::any_of(types, [&](std::string_view type) { return name.starts_with(type); });
}

// What a crawler found in the payload counts more than what the server said of it.
std::optional<NoDocument> JudgeType(const WarcCapture& capture) {
  const std::string found = ParseMediaType(capture.identified_type).name;
  const std::string_view name = found.empty() ? capture.content_type.name : found;
  if (name == "text/dns") return NoDocument::kNameLookup;
  if (BeginsWithOne(name, kMediaTypes)) return NoDocument::kMedia;
  if (BeginsWithOne(name, kCodeTypes)) return NoDocument::kCode;
  return std::nullopt;
}

std::optional<NoDocument> JudgeStatus(std::optional<int> status) {
  if (!status || *status / 100 == 2) return std::nullopt;
  return *status / 100 == 3 ? NoDocument::kRedirect : NoDocument::kErrorStatus;
}

std::optional<NoDocument> JudgeRecord(const WarcHeader& header) {
  switch (header.type) {
    case WarcRecordType::kWarcinfo:
      return NoDocument::kFileInfo;
    case WarcRecordType::kRevisit:
      return NoDocument::kRevisit;
    case WarcRecordType::kRequest:
    case WarcRecordType::kMetadata:
      return NoDocument::kNoResponse;
    case WarcRecordType::kContinuation:
      return NoDocument::kSegment;
    case WarcRecordType::kOther:
      return NoDocument::kOtherRecord;
    case WarcRecordType::kResponse:
    case WarcRecordType::kResource:
    case WarcRecordType::kConversion:
      break;
  }
  if (header.target_uri.starts_with("metadata:")) return NoDocument::kFileInfo;  // Wget's log
  if (header.segment_number.empty()) return std::nullopt;
  return NoDocument::kSegment;
}

// The record that the group is about: without one with content, its first.
const WarcRecord& FindMain(const std::vector<WarcRecord>& records) {
  const auto main = std::ranges::find_if(
      records, [](const WarcRecord& record) { return HasContent(record.header.type); });
  return main == records.end() ? records.front() : *main;
}

CaptureFault FaultOf(const WarcRecord& record) {
  std::string message;
  if (record.damage == WarcDamage::kCut) {
    message = fmt::format("the record at byte {} of the capture is cut: {} of {} bytes are there",
                          record.begin, record.payload.size(), *record.header.content_length);
  } else if (record.damage == WarcDamage::kLength) {
    message = fmt::format(
        "the length of the record at byte {} of the capture is wrong: no record follows its {} "
        "bytes",
        record.begin, record.payload.size());
  } else {
    message = fmt::format(
        "the header of the record at byte {} of the capture has no end, or states no length",
        record.begin);
  }
  return {CaptureFault::Reason::kDamaged, std::move(message)};
}

CaptureFault FaultOf(const BodyFault& fault, const CaptureLimits& limits) {
  if (fault.reason == BodyFault::Reason::kTooLarge) {
    return {CaptureFault::Reason::kTooLarge,
            fmt::format("the payload is larger than {} bytes", limits.max_payload_bytes)};
  }
  if (fault.reason == BodyFault::Reason::kManyCodings) {
    return {CaptureFault::Reason::kUnreadable,
            "the payload cannot be decoded: it has more codings than are taken off"};
  }
  const bool is_unknown = fault.reason == BodyFault::Reason::kUnknownCoding;
  return {CaptureFault::Reason::kUnreadable,
          fmt::format("the payload cannot be decoded: {} \"{}\"",
                      is_unknown ? "unknown coding" : "it is cut, or not in the stated coding",
                      fault.coding)};
}

bool HasStrayBytes(const std::vector<WarcRecord>& records, std::string_view group) {
  const std::string_view before = group.substr(0, records.front().begin);
  return before.find_first_not_of("\r\n") != std::string_view::npos ||
         std::ranges::any_of(
             records, [](const WarcRecord& record) { return record.damage != WarcDamage::kNone; });
}

WarcCapture Describe(const WarcHeader& header) {
  WarcCapture capture;
  capture.type = header.type;
  capture.target_uri = UnfoldValue(header.target_uri);
  capture.date = UnfoldValue(header.date);
  capture.record_id = UnfoldValue(header.record_id);
  capture.identified_type = UnfoldValue(header.identified_payload_type);
  capture.truncated = UnfoldValue(header.truncated);
  return capture;
}

// Reads the head of a response, which those of FTP and DNS do not have.
HttpHead TakeHttpHead(const WarcRecord& record, WarcCapture& capture) {
  const WarcRecordType type = record.header.type;
  if (type != WarcRecordType::kResponse && type != WarcRecordType::kRevisit) return {};
  std::optional<HttpHead> head = ParseHttpHead(record.payload);
  if (!head) {
    if (capture.content_type.name == "application/http") capture.content_type = {};
    return {};
  }
  capture.http_status = head->status;
  capture.content_type = head->type;
  return *std::move(head);
}

}  // namespace

std::string_view NoDocumentName(NoDocument reason) {
  return kNoDocuments[static_cast<size_t>(reason)].name;
}

std::string_view NoDocumentWords(NoDocument reason) {
  return kNoDocuments[static_cast<size_t>(reason)].words;
}

std::variant<WarcCapture, CaptureFault> ParseCapture(std::string_view group,
                                                     const CaptureLimits& limits) {
  const std::vector<WarcRecord> records = FindWarcRecords(group);
  if (records.empty()) return CaptureFault{CaptureFault::Reason::kDamaged, "no record begins here"};
  const WarcRecord& main = FindMain(records);
  if (main.damage != WarcDamage::kNone) return FaultOf(main);

  WarcCapture capture = Describe(main.header);
  capture.has_stray_bytes = HasStrayBytes(records, group);
  capture.no_document = JudgeRecord(main.header);
  capture.content_type = ParseMediaType(main.header.content_type);
  const HttpHead head = TakeHttpHead(main, capture);
  if (!capture.no_document) capture.no_document = JudgeStatus(capture.http_status);
  if (!capture.no_document) capture.no_document = JudgeType(capture);
  if (capture.no_document) return capture;

  const std::string_view body = main.payload.substr(head.bytes);
  auto decoded = DecodeHttpBody(body, head.codings, limits.max_payload_bytes);
  if (const auto* fault = std::get_if<BodyFault>(&decoded)) return FaultOf(*fault, limits);
  auto& plain = std::get<HttpBody>(decoded);
  capture.is_incomplete = plain.is_incomplete;
  if (plain.decoded) {
    capture.decoded = *std::move(plain.decoded);
  } else {
    capture.payload_offset = main.payload_begin + head.bytes;
    capture.stored = body;
  }
  if (capture.payload().empty()) capture.no_document = NoDocument::kEmpty;
  return capture;
}

}  // namespace zhiwen
