#ifndef ZHIWEN_SCHEME_H_
#define ZHIWEN_SCHEME_H_

// A scheme is an algorithm with all its parameters and versions; its canonical name alone
// identifies stored values:
//
//   simhash64.v1(channel=folded.v2,feature=shingle.v1(k=5,unit=symbol),hash=xxh3,weight=tf)
//
// Grammar: name = family.vN(key=value{,key=value}); value = word | integer | decimal | name; keys
// sorted, every parameter written, no positional values. People may type a short form
// (`simhash64(feature=shingle(3))`): missing parameters get their defaults, a missing version is
// the newest, a single positional value stands for a family's main parameter.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "zhiwen/channel.h"
#include "zhiwen/result.h"

namespace zhiwen {

class Language;  // zhiwen/language.h

// The value of a scheme for one text.
struct Fingerprint {
  enum class Kind : uint8_t { kNone, kBytes, kSet };
  Kind kind = Kind::kNone;     // kNone: the text has no feature (too short); it matches nothing
  std::vector<uint8_t> bytes;  // kBytes: most significant byte first
  std::vector<uint64_t> set;   // kSet: ascending, distinct

  friend bool operator==(const Fingerprint&, const Fingerprint&) = default;
};

// One row of `zhiwen schemes`.
struct SchemeParameter {
  std::string name;           // "k"
  std::string type;           // "integer 1…64", "folded.v2 | exact.v1"
  std::string default_value;  // "5"
  std::string meaning;
};

struct SchemeDescription {
  std::string family;        // "simhash64.v1"
  std::string default_name;  // canonical name with every default
  std::string source;        // paper and section
  std::string value;         // "8 bytes"
  std::string distance;      // what a small distance means
  std::string use_for;
  std::string not_for;
  std::vector<SchemeParameter> parameters;
};

// Threads: const after Create; share freely.
class Scheme {
 public:
  // Makes the scheme of a canonical or short name; some channels need `language`. `channel` is for
  // one that no name opens (MakeVariantsChannel); the name then says none. Fails: kInvalidArgument,
  // naming the unknown family, parameter or value, its position, and what exists; as OpenChannel
  // (zhiwen/channel.h) where the channel cannot be opened.
  static Result<std::unique_ptr<Scheme>> Create(
      std::string_view name, const std::shared_ptr<const Language>& language = nullptr,
      const std::optional<Channel>& channel = std::nullopt);

  virtual ~Scheme() = default;
  virtual const std::string& canonical_name() const = 0;

  // Fails: kUnreadable when `utf8` is not valid UTF-8, naming the byte.
  virtual Result<Fingerprint> Compute(std::string_view utf8) const = 0;
};

std::vector<SchemeDescription> DescribeSchemes();

// The persisted form: format version, canonical name, value, CRC-32C (docs/formats/fingerprint.md).
std::string EncodeFingerprint(std::string_view canonical_name, const Fingerprint& value);

struct NamedFingerprint {
  std::string canonical_name;
  Fingerprint value;

  friend bool operator==(const NamedFingerprint&, const NamedFingerprint&) = default;
};

// Fails: kUnreadable for a damaged encoding, kConflict for another format version.
Result<NamedFingerprint> DecodeFingerprint(std::string_view encoded);

}  // namespace zhiwen

#endif  // ZHIWEN_SCHEME_H_
