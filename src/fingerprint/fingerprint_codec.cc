// The persisted form of a fingerprint: docs/formats/fingerprint.md.

#include <fmt/format.h>

#include "base/coding.h"
#include "zhiwen/scheme.h"

namespace zhiwen {
namespace {

constexpr std::string_view kMagic = "ZWFP";
constexpr uint64_t kVersion = 1;
constexpr size_t kChecksumBytes = 4;

tl::unexpected<Error> Damaged(std::string_view what) {
  return Fail(ErrorCode::kUnreadable,
              fmt::format("cannot read a stored fingerprint: {}; compute it again", what));
}

Result<std::vector<uint64_t>> DecodeSet(Decoder& decoder) {
  ZHIWEN_ASSIGN_OR_RETURN(const uint64_t count, decoder.Varint());
  if (count > decoder.rest().size() / sizeof(uint64_t)) return Damaged("its set ends early");
  std::vector<uint64_t> set(count);
  for (uint64_t& value : set) {
    ZHIWEN_ASSIGN_OR_RETURN(value, decoder.Fixed64());
    if (&value != set.data() && value <= *(&value - 1)) {
      return Damaged("its set is not ascending");
    }
  }
  return set;
}

Result<Fingerprint> DecodeValue(Decoder& decoder) {
  Fingerprint value;
  ZHIWEN_ASSIGN_OR_RETURN(const uint64_t kind, decoder.Varint());
  if (kind > static_cast<uint64_t>(Fingerprint::Kind::kSet)) {
    return Damaged(fmt::format("its kind of value is {}", kind));
  }
  value.kind = static_cast<Fingerprint::Kind>(kind);
  if (value.kind == Fingerprint::Kind::kBytes) {
    ZHIWEN_ASSIGN_OR_RETURN(const std::string_view bytes, decoder.String());
    value.bytes.assign(bytes.begin(), bytes.end());
  } else if (value.kind == Fingerprint::Kind::kSet) {
    ZHIWEN_ASSIGN_OR_RETURN(value.set, DecodeSet(decoder));
  }
  return value;
}

Result<NamedFingerprint> DecodeBody(Decoder& decoder) {
  NamedFingerprint named;
  ZHIWEN_ASSIGN_OR_RETURN(const std::string_view name, decoder.String());
  named.canonical_name = name;
  ZHIWEN_ASSIGN_OR_RETURN(named.value, DecodeValue(decoder));
  if (!decoder.rest().empty()) return Damaged("bytes follow its value");
  return named;
}

}  // namespace

std::string EncodeFingerprint(std::string_view canonical_name, const Fingerprint& value) {
  std::string encoded(kMagic);
  AppendVarint(encoded, kVersion);
  AppendString(encoded, canonical_name);
  AppendVarint(encoded, static_cast<uint64_t>(value.kind));
  if (value.kind == Fingerprint::Kind::kBytes) {
    AppendString(encoded, {reinterpret_cast<const char*>(value.bytes.data()), value.bytes.size()});
  } else if (value.kind == Fingerprint::Kind::kSet) {
    AppendVarint(encoded, value.set.size());
    for (const uint64_t shingle : value.set) AppendFixed64(encoded, shingle);
  }
  AppendFixed32(encoded, Crc32c(encoded));
  return encoded;
}

Result<NamedFingerprint> DecodeFingerprint(std::string_view encoded) {
  if (encoded.substr(0, kMagic.size()) != kMagic) return Damaged("it does not begin with ZWFP");
  Decoder versioned(encoded.substr(kMagic.size()));
  ZHIWEN_ASSIGN_OR_RETURN(const uint64_t version, versioned.Varint());
  if (version != kVersion) {
    return Fail(ErrorCode::kConflict,
                fmt::format("cannot read a stored fingerprint of format version {}: this program "
                            "reads version {}; use the program that wrote it",
                            version, kVersion));
  }
  if (versioned.rest().size() < kChecksumBytes) return Damaged("it ends early");
  const size_t body_end = encoded.size() - kChecksumBytes;
  ZHIWEN_ASSIGN_OR_RETURN(const uint32_t checksum, Decoder(encoded.substr(body_end)).Fixed32());
  if (checksum != Crc32c(encoded.substr(0, body_end))) return Damaged("its checksum is wrong");
  Decoder body(versioned.rest().substr(0, versioned.rest().size() - kChecksumBytes));
  return DecodeBody(body);
}

}  // namespace zhiwen
