#ifndef ZHIWEN_PIPELINE_EVIDENCE_MANIFEST_H_
#define ZHIWEN_PIPELINE_EVIDENCE_MANIFEST_H_

// The manifest of an evidence package: what was compared by what, and the SHA-256 of every file.
//
// Guarantees  ParseManifest returns what ManifestToJson was given
// Threads     free functions
// Fails       ParseManifest: kUnreadable, naming the field; kConflict for a later version
// Persisted   docs/formats/evidence.md

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/json_writer.h"
#include "zhiwen/documents.h"
#include "zhiwen/result.h"
#include "zhiwen/text_encoding.h"

namespace zhiwen {

inline constexpr std::string_view kManifestFile = "manifest.json";
inline constexpr std::string_view kManifestHashFile = "manifest.sha256";
inline constexpr std::string_view kTextFile = "suspect/text.txt";
inline constexpr std::string_view kPlacesFile = "suspect/places.json";
inline constexpr std::string_view kCheckFile = "check.json";
inline constexpr std::string_view kFormsFolder = "forms/";  // form texts: forms/1.txt, …
// Of a capture.
inline constexpr std::string_view kCaptureFile = "capture/capture.json";
inline constexpr std::string_view kRedirectsFile = "capture/redirects.warc";
inline constexpr std::string_view kLookupsFile = "capture/dns.warc";
inline constexpr std::string_view kGivenFolder = "capture/files/";
// A time stamp of the manifest, added later: the manifest does not name these.
inline constexpr std::string_view kTimestampFile = "timestamp.tst";
inline constexpr std::string_view kTimestampChainFile = "timestamp-chain.pem";
// What every manifest begins with.
inline constexpr std::string_view kManifestBeginning = "{\n  \"format\": \"zhiwen evidence\",";

struct PackedFileHash {
  std::string path;
  std::string sha256;  // 64 hex digits

  friend bool operator==(const PackedFileHash&, const PackedFileHash&) = default;
};

struct EvidenceManifest {
  std::string zhiwen = {}, language = {};  // the version; the id of the data, empty: none
  std::string made = {};                   // UTC, ISO 8601
  std::vector<std::string> command = {};
  std::string library = {}, profile = {};  // id of the library
  uint64_t sequence = 0;                   // of its last change that was searched
  double symbols = 0;                      // about so many were searched; 0: it is not known
  std::string suspect = {};                // as it was named
  std::string source = {};                 // the file with its bytes
  DocumentFormat format = DocumentFormat::kText;
  std::optional<TextEncoding> encoding = {};       // in which it was read; not given: as it shows
  std::string verdict = {};                        // RelationName
  std::vector<std::string> channels = {};          // that were searched
  std::vector<std::string> passage_channels = {};  // on which passages were looked for
  double least_score = 0;                          // of a passage
  // Why passages do not count: ExclusionReasonName; the author of the suspect; licences. The form
  // texts are files.
  std::vector<std::string> excluded_reasons = {};
  std::string author = {};
  std::vector<std::string> licences = {};
  double near_threshold = 0.8, containment = 0.8;  // least ones of texts that are near, contained
  uint64_t originals = 0;                          // that are packed, from 1
  std::vector<std::string> not_packed = {};        // ids of the other documents that match
  std::vector<std::string> incomplete = {};        // parts of a capture that nothing says
  std::vector<PackedFileHash> files = {};          // by path; not the manifest and its hash

  friend bool operator==(const EvidenceManifest&, const EvidenceManifest&) = default;
};

std::string ManifestToJson(const EvidenceManifest& manifest);
Result<EvidenceManifest> ParseManifest(std::string_view json);

// Writes a list of strings.
void WriteStrings(JsonWriter& json, std::string_view key, const std::vector<std::string>& values);

// Returns 64 hex digits.
std::string Sha256Hex(std::string_view bytes);

// Returns a line as sha256sum writes it: "HASH  PATH", without a line end.
std::string HashLine(const PackedFileHash& file);

// Returns the path of a file of an original: "originals/3/text.txt".
std::string PathOf(std::string_view folder, uint64_t number, std::string_view behind);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_EVIDENCE_MANIFEST_H_
