#ifndef ZHIWEN_EVIDENCE_H_
#define ZHIWEN_EVIDENCE_H_

// Evidence packages: what a check of one document found, with all that somebody else needs to look
// at it and to compute it again. Later changes of the package are seen. A time stamp of an
// authority (RFC 3161) can be added, which shows that the package is not younger.
//
// In          a library and a file that is one document, or a capture of a WARC file; or a package
// Out         a zip archive: the bytes of the document, of a capture with its WARC records and what
//             else is known of it, its text, the texts of the originals that
//             match most and what the library knows of them, each comparison as JSON and as a page,
//             and a manifest with the SHA-256 of every file
// Guarantees  the same document, library, time and options give the same bytes. A package is whole
//             or not there. VerifyEvidence writes nothing, and names every file that is missing,
//             was added, or is not what the manifest says. Who makes the whole package anew makes
//             one that agrees with itself: its hash, kept elsewhere, tells it from the first one
// Cost        the check; for each of at most kPackedOriginals originals its text, a comparison and
//             a page. The package is held in memory, and has at most kMostZipBytes
//             (base/compress/stored_zip.h)
// Threads     free functions
// Fails       WriteEvidence: as Library and OutputFile; kInvalidArgument for a record of a file
//             that is no capture of a WARC file, a folder and standard input, and for a part of a
//             capture that is none, or given twice; kUnreadable for a document that cannot be read;
//             kExhausted for more bytes than a package may have. VerifyEvidence: kNotFound;
//             kUnreadable for a file that is no package, or is cut off; kConflict for a package of
//             a later version
// Persisted   docs/formats/evidence.md

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "zhiwen/check.h"
#include "zhiwen/document_batches.h"
#include "zhiwen/documents.h"
#include "zhiwen/result.h"

namespace zhiwen {

inline constexpr size_t kPackedOriginals = 20;

// Parts of a capture that a user can give files for: "url", "redirect-chain" and so on.
std::span<const std::string_view> CaptureParts();

// A file that says a part of how the suspect was captured.
struct CaptureFile {
  std::string part, path;
};

struct EvidenceOptions {
  std::string folder;   // of the library
  std::string suspect;  // a file that is one document, or "a.warc.gz:17"
  std::vector<CaptureFile> capture_files = {};
  std::optional<DocumentFormat> format = {};  // of it; not given: as the file shows
  FileSyntax syntax = {};                     // of it
  std::string date = {};                      // of it, where it says none
  // Passages do not count for the reasons of the library's profile and `exclude`, without `count`;
  // but set phrases do, which a package could not show to be such. Of `exclusions` the reasons
  // follow from these; their author is that of a suspect that says none.
  ExclusionReasons exclude = {}, count = {};
  Exclusions exclusions = {};
  std::string package;                    // the file to write
  std::string request = {};               // likewise, for a time stamp; empty: none
  bool overwrite = false;                 // a package, or an empty file, that is there
  std::vector<std::string> command = {};  // that the package tells
};

// How the suspect of a package was captured. A file that somebody saved, of which no part of a
// capture is given, is none.
struct EvidenceCapture {
  std::string url = {}, fetched = {};        // as the record says; empty where none does
  std::vector<std::string> incomplete = {};  // parts that nothing says
};

struct EvidenceSummary {
  SourceDocument document;  // the suspect
  std::optional<EvidenceCapture> capture = {};
  CheckedText checked;             // against the library
  uint64_t originals = 0;          // that are packed
  uint64_t bytes = 0;              // of the package
  std::string manifest_hash = {};  // SHA-256 of the manifest, 64 hex digits
};

Result<EvidenceSummary> WriteEvidence(const EvidenceOptions& options,
                                      const BatchEnvironment& environment);

enum class EvidenceFault : uint8_t {
  kMissing,      // the manifest names the file, and it is not there
  kAdded,        // the manifest does not name the file
  kDiffers,      // it is not what the manifest says
  kNotRepeated,  // it is, and zhiwen computes something else of the packed files
  // These are faults of a time stamp.
  kMalformed,         // it is none, or its chain has something else than certificates
  kOtherData,         // it stamps something else than the manifest
  kBadSignature,      // of it, or of a certificate
  kUnknownAuthority,  // no authority vouches for it that is trusted
  kExpired,           // a certificate was not valid at its time
};

// "missing", "added", "differs", "not_repeated", "malformed", "other_data", "bad_signature",
// "unknown_authority", "expired".
std::string_view EvidenceFaultName(EvidenceFault fault);

struct EvidenceProblem {
  std::string file;
  EvidenceFault fault = EvidenceFault::kDiffers;
  std::string message;  // a sentence that names the file

  friend bool operator==(const EvidenceProblem&, const EvidenceProblem&) = default;
};

// A time stamp that a package has.
struct EvidenceTimestamp {
  std::string time = {};            // UTC, ISO 8601; empty where the token cannot be read
  std::string authority = {};       // whose certificate signed it; empty where it is missing
  bool is_authority_known = false;  // nothing is wrong with it, and a trusted authority vouches
};

// What a package says of itself, and what does not agree.
struct EvidenceReport {
  std::string manifest_hash = {};  // of the manifest that is there, 64 hex digits
  std::string zhiwen = {}, language = {}, made = {}, suspect = {}, verdict = {};
  uint64_t files = 0;                          // in the package
  uint64_t originals = 0;                      // whose comparison is packed
  std::vector<EvidenceProblem> problems = {};  // by file
  std::optional<EvidenceTimestamp> timestamp = {};
  std::optional<EvidenceCapture> capture = {};
  // Why nothing was computed again: another version of zhiwen or of the language data, or files
  // that do not agree; empty: the passages and pages of all packed matches were.
  std::string not_repeated = {};
  // Why the text was not read again where the passages were computed; empty: it was.
  std::string text_not_repeated = {};

  bool agrees() const { return problems.empty(); }
};

// Returns what a package that agrees does not show, a sentence each: parts of a capture are
// missing, something was not computed again, an authority was not checked.
std::vector<std::string> Reservations(const EvidenceReport& report);

struct VerifyOptions {
  std::string package;
  std::string hash = {};  // of the manifest, that somebody kept; empty: none
  // A file with certificates (PEM) of authorities whose time stamps are trusted. Given: a package
  // without a time stamp does not agree. Empty: stamps are checked, but for who made them.
  std::string authorities = {};
};

Result<EvidenceReport> VerifyEvidence(const VerifyOptions& options,
                                      const BatchEnvironment& environment);

struct StampOptions {
  std::string package;
  std::string request = {};  // the file to write, to be sent to an authority; empty: none
  std::string token = {};    // what an authority answered, a file; empty: nothing is added
  std::string chain = {};    // certificates (PEM) that are added with it; empty: none
  bool overwrite = false;    // the request, or the token that is there
};

struct StampSummary {
  std::string manifest_hash = {};
  std::optional<EvidenceTimestamp> timestamp = {};  // that was added
};

// Writes the request to stamp the manifest of a package; adds the token that came back. The package
// stays as it is where the token is not of its manifest.
Result<StampSummary> StampEvidence(const StampOptions& options,
                                   const BatchEnvironment& environment);

// {"package","suspect","verdict","matches","originals","bytes","manifest_sha256",
// "capture":{"url","fetched","incomplete":[…]},"check":{…}}, the last as CheckToJson. The capture
// is null where the suspect is none.
std::string EvidenceToJson(const EvidenceSummary& summary, const EvidenceOptions& options);

// {"package","agrees","manifest_sha256","zhiwen","language","made","suspect","verdict","files",
// "originals","repeated","not_repeated","text_not_repeated","timestamp","capture",
// "reservations":[…],"problems":[{"file","fault","message"}]}; the time stamp is null where there
// is none.
std::string EvidenceReportToJson(const EvidenceReport& report, std::string_view package);

// {"package","manifest_sha256","timestamp":{"time","authority","authority_is_known"}}, the last one
// null where none was added.
std::string StampToJson(const StampSummary& summary, std::string_view package);

}  // namespace zhiwen

#endif  // ZHIWEN_EVIDENCE_H_
