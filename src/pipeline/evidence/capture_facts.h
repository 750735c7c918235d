#ifndef ZHIWEN_PIPELINE_EVIDENCE_CAPTURE_FACTS_H_
#define ZHIWEN_PIPELINE_EVIDENCE_CAPTURE_FACTS_H_

// What is known of how a page was captured, and what is not.
//
// In          the WARC records of the capture, of the redirects that led to it and of name lookups;
//             files that the user gave for parts. Beside the fields of WARC, a metadata record of
//             the capture (application/warc-fields) may say a part by its name: "clock-offset: …"
// Out         capture/capture.json, and the parts that nothing says
// Guarantees  follows from the packed files alone
// Threads     free functions

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/evidence/manifest.h"

namespace zhiwen {

// What a package of a capture has when it is complete.
inline constexpr std::array<std::string_view, 11> kCaptureParts = {
    "url", "redirect-chain", "headers",      "request",     "warc-records", "dns",
    "ip",  "tls-chain",      "clock-offset", "capture-log", "screenshot"};

struct PackedCapture {
  std::string_view records = {};             // the capture group; empty: of a file that was saved
  std::string_view redirects = {};           // groups, the first redirect first
  std::string_view lookups = {};             // records of the name system
  std::vector<std::string_view> given = {};  // paths of files that the user gave
};

struct CaptureFacts {
  std::string json;
  std::string url, fetched;             // as the record says
  std::vector<std::string> incomplete;  // of kCaptureParts
};

CaptureFacts DescribeCapture(const PackedCapture& capture);

// The same of the files of a package: `paths` are all of them, `bytes_of` returns those of one, and
// nothing where it is missing. Returns nothing where the suspect is no capture.
std::optional<CaptureFacts> DescribePackedCapture(
    const EvidenceManifest& manifest, const std::vector<std::string_view>& paths,
    const std::function<std::string_view(std::string_view path)>& bytes_of);

// Returns the value of a field of a message or a record, in one line; empty where it is missing.
// Its first line is that of the version.
std::string HeaderValue(std::string_view message, std::string_view name);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_EVIDENCE_CAPTURE_FACTS_H_
