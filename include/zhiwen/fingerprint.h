#ifndef ZHIWEN_FINGERPRINT_H_
#define ZHIWEN_FINGERPRINT_H_

// The value that a scheme (zhiwen/scheme.h) gives for one text, and how it is stored.
//
// Persisted   docs/formats/fingerprint.md

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "zhiwen/offsets.h"
#include "zhiwen/result.h"

namespace zhiwen {

// The text has no feature, as when it is too short: it matches nothing.
struct NoFingerprint {
  friend bool operator==(const NoFingerprint&, const NoFingerprint&) = default;
};

// A value of a size that the scheme decides: most significant byte first.
using FingerprintBytes = std::vector<uint8_t>;

// Ascending, distinct.
struct HashSet {
  std::vector<uint64_t> hashes;

  friend bool operator==(const HashSet&, const HashSet&) = default;
};

// Codes of one size in the order of the text.
struct CodeSequence {
  uint32_t width = 8;      // bytes of a code
  FingerprintBytes bytes;  // one code after another

  size_t size() const { return bytes.size() / width; }
  std::span<const uint8_t> operator[](size_t index) const {
    return std::span(bytes).subspan(index * width, width);
  }
  friend bool operator==(const CodeSequence&, const CodeSequence&) = default;
};

// A shingle that winnowing kept, and where it is.
struct SelectedShingle {
  uint64_t hash = 0;
  uint64_t position = 0;  // of its first unit among those of the text
  ByteSpan source;

  friend bool operator==(const SelectedShingle&, const SelectedShingle&) = default;
};

// In order of their positions.
using SelectedShingles = std::vector<SelectedShingle>;

// A term and how much it counts.
struct WeightedTerm {
  std::string term;
  uint64_t weight = 0;

  friend bool operator==(const WeightedTerm&, const WeightedTerm&) = default;
};

// In the order that the scheme says, no term twice.
using WeightedTerms = std::vector<WeightedTerm>;

using Fingerprint = std::variant<NoFingerprint, FingerprintBytes, HashSet, CodeSequence,
                                 SelectedShingles, WeightedTerms>;

inline bool HasValue(const Fingerprint& fingerprint) {
  return !std::holds_alternative<NoFingerprint>(fingerprint);
}

struct NamedFingerprint {
  std::string canonical_name;  // of the scheme
  Fingerprint value;

  friend bool operator==(const NamedFingerprint&, const NamedFingerprint&) = default;
};

// The persisted form: format version, canonical name, value, CRC-32C.
std::string EncodeFingerprint(std::string_view canonical_name, const Fingerprint& value);

// Fails: kUnreadable for a damaged encoding, kConflict for another format version.
Result<NamedFingerprint> DecodeFingerprint(std::string_view encoded);

}  // namespace zhiwen

#endif  // ZHIWEN_FINGERPRINT_H_
