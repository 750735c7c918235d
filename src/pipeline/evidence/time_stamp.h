#ifndef ZHIWEN_PIPELINE_EVIDENCE_TIME_STAMP_H_
#define ZHIWEN_PIPELINE_EVIDENCE_TIME_STAMP_H_

// Time stamps of an authority (RFC 3161): a signed statement that a hash was known at a time.
//
// In          a SHA-256; a token or a reply of an authority (DER); certificates (PEM)
// Out         the request to send; the token; what a token says, and what is wrong with it
// Guarantees  no network and no setting of the machine is used: the only authorities that are
//             trusted are those that the caller gives. Certificates are judged at the time of the
//             stamp, so that a stamp stays good when they expire later. Revocation is not looked
//             up. The same hash gives the same request: it has no nonce
// Cost        some public-key operations
// Threads     free functions
// Fails       see the functions

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "zhiwen/evidence.h"
#include "zhiwen/file_system.h"
#include "zhiwen/result.h"

namespace zhiwen {

inline constexpr size_t kMostTimeStampBytes = size_t{1} << 20;  // of a token, of certificates

// What every request of MakeTimeStampRequest begins with: version 1, SHA-256.
inline constexpr std::string_view kTimeStampRequestBeginning(
    "\x30\x39\x02\x01\x01\x30\x31\x30\x0d\x06\x09\x60\x86\x48\x01\x65\x03\x04\x02\x01", 20);

// Returns the request (DER) to stamp a hash of 64 hex digits, with the certificate of the authority
// in the reply. Fails: kInternal.
Result<std::string> MakeTimeStampRequest(std::string_view sha256);

// Returns the token in a reply of an authority, or in what is a token itself. Fails: kUnreadable
// for other bytes, and for a reply that says why there is none.
Result<std::string> TokenOfReply(std::string_view reply);

// Returns the certificates in `pem` alone, one behind another. Fails: kUnreadable where there is
// none, or one is damaged.
Result<std::string> CertificatesOf(std::string_view pem);

// Returns what CertificatesOf makes of a file. Fails also as ReadWholeFile, naming the file.
Result<std::string> ReadCertificateFile(FileSystem& files, const std::string& path);

struct TimeStampProblem {
  EvidenceFault fault;
  std::string message;  // goes on with a sentence whose subject is the token: "stamps other data"
};

struct TimeStampCheck {
  EvidenceTimestamp stamp = {};
  std::vector<TimeStampProblem> problems = {};
};

// Checks a token against the hash that it should stamp. `chain` has certificates between that of
// the authority and a trusted one, or is empty; so has the token. `authorities` are the trusted
// ones; not given: that the authority is a known one is not checked. Fails: kUnreadable for
// certificates that are none.
Result<TimeStampCheck> CheckTimeStamp(std::string_view token, std::string_view sha256,
                                      std::string_view chain,
                                      const std::optional<std::string>& authorities);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_EVIDENCE_TIME_STAMP_H_
