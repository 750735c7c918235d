#ifndef ZHIWEN_DOCUMENT_WARC_WARC_CAPTURE_H_
#define ZHIWEN_DOCUMENT_WARC_WARC_CAPTURE_H_

// Reads a capture group of a WARC file: what was fetched, from where and when, and its bytes.
//
// In          a group, as document/warc/warc_scanner.h cuts it
// Out         WarcCapture, or a CaptureFault with the reason why it cannot be used
// Guarantees  any bytes are accepted. A capture that is no document (a redirect, a picture, a
//             revisit) is a value that says why, and has no payload
// Cost        payloads that are stored as they are: nothing; others: a copy, or decompression
//             (base/compress/content_decoder.h), at most max_payload_bytes of each coding
// Threads     free functions
// Fails       CaptureFault

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "document/warc/http_message.h"
#include "document/warc/warc_record.h"

namespace zhiwen {

struct CaptureLimits {
  uint64_t max_payload_bytes = uint64_t{256} << 20;  // larger payloads are faults
};

// Why a capture is no document.
enum class NoDocument : uint8_t {
  kFileInfo,     // a warcinfo record, or what a crawler says of its run
  kRevisit,      // the content is stored with an earlier capture
  kNoResponse,   // a request or metadata by themselves
  kSegment,      // a part of a record; the parts are not put together
  kOtherRecord,  // a type of record that is not known
  kNameLookup,   // an answer of the name system (DNS)
  kRedirect,     // HTTP status 3xx
  kErrorStatus,  // no success: HTTP status 4xx, 5xx, or another one but 2xx
  kMedia,        // a picture, sound, film or font
  kCode,         // a style sheet, a script, or data for scripts
  kEmpty,        // no bytes
};

// "warcinfo", "revisit", "no_response", "segment", "other_record", "name_lookup", "redirect",
// "error_status", "media", "code", "empty".
std::string_view NoDocumentName(NoDocument reason);

// Returns what such a capture is, as a noun: "a redirect to another address".
std::string_view NoDocumentWords(NoDocument reason);

struct WarcCapture {
  WarcRecordType type = WarcRecordType::kOther;  // of the record that the capture is about
  std::string target_uri, date, record_id;       // as in its header, without angle brackets
  std::string identified_type;                   // WARC-Identified-Payload-Type
  std::string truncated;                         // WARC-Truncated: "length", "time" …
  std::optional<int> http_status;
  MediaType content_type;  // of HTTP; of the record, where there is no HTTP

  std::optional<NoDocument> no_document;  // then the payload is empty
  // Where the payload begins in the group, when it is stored there as it is.
  std::optional<uint64_t> payload_offset;
  bool is_incomplete = false;    // its coding ends early: the payload is what could be decoded
  bool has_stray_bytes = false;  // other bytes of the group are damaged; the payload is not

  std::string_view stored;  // a view of the group, when payload_offset is given
  std::string decoded;      // otherwise
  std::string_view payload() const { return payload_offset ? stored : std::string_view(decoded); }
};

struct CaptureFault {
  enum class Reason : uint8_t {
    kDamaged,     // the record is cut, or its header or length is wrong
    kTooLarge,    // its payload is larger than the limit
    kUnreadable,  // its payload cannot be decoded
  };
  Reason reason = Reason::kDamaged;
  std::string message;  // names the byte of the group, or the coding
};

std::variant<WarcCapture, CaptureFault> ParseCapture(std::string_view group,
                                                     const CaptureLimits& limits = {});

}  // namespace zhiwen

#endif  // ZHIWEN_DOCUMENT_WARC_WARC_CAPTURE_H_
