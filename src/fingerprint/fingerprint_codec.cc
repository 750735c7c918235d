// Encodes and decodes the persisted form of a fingerprint: docs/formats/fingerprint.md.

#include <array>
#include <set>

#include <fmt/format.h>

#include "base/coding.h"
#include "base/value_bytes.h"
#include "zhiwen/fingerprint.h"

namespace zhiwen {
namespace {

constexpr std::string_view kMagic = "ZWFP";
constexpr size_t kChecksumBytes = 4;

// The oldest version that knows each kind of value. Kinds are numbered as the alternatives of
// Fingerprint. A file has the oldest version possible, so that the bytes of a value never change.
constexpr std::array<uint64_t, std::variant_size_v<Fingerprint>> kVersionOfKind = {1, 1, 1,
                                                                                   2, 2, 2};
constexpr uint64_t kNewestVersion = 2;

tl::unexpected<Error> Damaged(std::string_view what) {
  return Fail(ErrorCode::kUnreadable,
              fmt::format("cannot read a stored fingerprint: {}; compute it again", what));
}

// --- writing -------------------------------------------------------------------------------------

class ValueEncoder {
 public:
  explicit ValueEncoder(std::string& out) : out_(out) {}

  void operator()(const NoFingerprint&) const {}
  void operator()(const FingerprintBytes& bytes) const { AppendString(out_, BytesOfValues(bytes)); }
  void operator()(const HashSet& set) const {
    AppendVarint(out_, set.hashes.size());
    for (const uint64_t hash : set.hashes) AppendFixed64(out_, hash);
  }
  void operator()(const CodeSequence& codes) const {
    AppendVarint(out_, codes.width);
    AppendString(out_, BytesOfValues(codes.bytes));
  }
  void operator()(const SelectedShingles& selected) const {
    AppendVarint(out_, selected.size());
    uint64_t position = 0;
    for (const SelectedShingle& shingle : selected) {
      AppendFixed64(out_, shingle.hash);
      AppendVarint(out_, shingle.position - position);
      AppendVarint(out_, shingle.source.begin.value);
      AppendVarint(out_, shingle.source.size());
      position = shingle.position;
    }
  }
  void operator()(const WeightedTerms& terms) const {
    AppendVarint(out_, terms.size());
    for (const auto& [term, weight] : terms) {
      AppendString(out_, term);
      AppendVarint(out_, weight);
    }
  }

 private:
  std::string& out_;
};

// --- reading -------------------------------------------------------------------------------------

// Decodes a number of elements that take at least `least` bytes each.
Result<uint64_t> DecodeCount(Decoder& decoder, size_t least) {
  ZHIWEN_ASSIGN_OR_RETURN(const uint64_t count, decoder.Varint());
  if (count > decoder.rest().size() / least) return Damaged("its value ends early");
  return count;
}

Result<FingerprintBytes> DecodeBytes(Decoder& decoder) {
  ZHIWEN_ASSIGN_OR_RETURN(const std::string_view bytes, decoder.String());
  return FingerprintBytes(bytes.begin(), bytes.end());
}

// No scheme gives none, and nothing can be compared of none.
Result<FingerprintBytes> DecodeSomeBytes(Decoder& decoder) {
  ZHIWEN_ASSIGN_OR_RETURN(FingerprintBytes bytes, DecodeBytes(decoder));
  if (bytes.empty()) return Damaged("its value has no bytes");
  return bytes;
}

Result<HashSet> DecodeSet(Decoder& decoder) {
  ZHIWEN_ASSIGN_OR_RETURN(const uint64_t count, DecodeCount(decoder, sizeof(uint64_t)));
  HashSet set = {std::vector<uint64_t>(count)};
  for (uint64_t& hash : set.hashes) {
    ZHIWEN_ASSIGN_OR_RETURN(hash, decoder.Fixed64());
    if (&hash != set.hashes.data() && hash <= *(&hash - 1)) {
      return Damaged("its set is not ascending");
    }
  }
  return set;
}

Result<CodeSequence> DecodeCodes(Decoder& decoder) {
  CodeSequence codes;
  ZHIWEN_ASSIGN_OR_RETURN(const uint64_t width, decoder.Varint());
  ZHIWEN_ASSIGN_OR_RETURN(codes.bytes, DecodeBytes(decoder));
  codes.width = static_cast<uint32_t>(width);
  if (width == 0 || codes.width != width || codes.bytes.size() % width != 0) {
    return Damaged("its codes have no whole size");
  }
  return codes;
}

Result<SelectedShingle> DecodeSelectedShingle(Decoder& decoder) {
  SelectedShingle shingle;
  ZHIWEN_ASSIGN_OR_RETURN(shingle.hash, decoder.Fixed64());
  ZHIWEN_ASSIGN_OR_RETURN(shingle.position, decoder.Varint());
  ZHIWEN_ASSIGN_OR_RETURN(shingle.source.begin.value, decoder.Varint());
  ZHIWEN_ASSIGN_OR_RETURN(const uint64_t size, decoder.Varint());
  shingle.source.end = shingle.source.begin + size;
  if (shingle.source.end < shingle.source.begin) return Damaged("a shingle ends before it begins");
  return shingle;
}

Result<SelectedShingles> DecodeSelected(Decoder& decoder) {
  constexpr size_t kLeastBytes = sizeof(uint64_t) + 3;
  ZHIWEN_ASSIGN_OR_RETURN(const uint64_t count, DecodeCount(decoder, kLeastBytes));
  SelectedShingles selected(count);
  uint64_t position = 0;
  for (SelectedShingle& shingle : selected) {
    ZHIWEN_ASSIGN_OR_RETURN(shingle, DecodeSelectedShingle(decoder));
    shingle.position += position;
    if (shingle.position < position) return Damaged("a position is too large");
    position = shingle.position;
  }
  return selected;
}

Result<WeightedTerms> DecodeTerms(Decoder& decoder) {
  ZHIWEN_ASSIGN_OR_RETURN(const uint64_t count, DecodeCount(decoder, 2));
  WeightedTerms terms(count);
  std::set<std::string_view> seen;
  for (auto& [term, weight] : terms) {
    ZHIWEN_ASSIGN_OR_RETURN(const std::string_view text, decoder.String());
    ZHIWEN_ASSIGN_OR_RETURN(weight, decoder.Varint());
    if (!seen.insert(text).second) return Damaged("it has a term twice");
    term = text;
  }
  return terms;
}

Result<Fingerprint> DecodeValue(Decoder& decoder, uint64_t version) {
  ZHIWEN_ASSIGN_OR_RETURN(const uint64_t kind, decoder.Varint());
  if (kind >= kVersionOfKind.size() || kVersionOfKind[kind] != version) {
    return Damaged(fmt::format("its kind of value is {}", kind));
  }
  switch (kind) {
    case 1:
      return DecodeSomeBytes(decoder);
    case 2:
      return DecodeSet(decoder);
    case 3:
      return DecodeCodes(decoder);
    case 4:
      return DecodeSelected(decoder);
    case 5:
      return DecodeTerms(decoder);
    default:
      return NoFingerprint();
  }
}

Result<NamedFingerprint> DecodeBody(Decoder& decoder, uint64_t version) {
  NamedFingerprint named;
  ZHIWEN_ASSIGN_OR_RETURN(const std::string_view name, decoder.String());
  named.canonical_name = name;
  ZHIWEN_ASSIGN_OR_RETURN(named.value, DecodeValue(decoder, version));
  if (!decoder.rest().empty()) return Damaged("bytes follow its value");
  return named;
}

}  // namespace

std::string EncodeFingerprint(std::string_view canonical_name, const Fingerprint& value) {
  std::string encoded(kMagic);
  AppendVarint(encoded, kVersionOfKind[value.index()]);
  AppendString(encoded, canonical_name);
  AppendVarint(encoded, value.index());
  std::visit(ValueEncoder(encoded), value);
  AppendFixed32(encoded, Crc32c(encoded));
  return encoded;
}

Result<NamedFingerprint> DecodeFingerprint(std::string_view encoded) {
  if (encoded.substr(0, kMagic.size()) != kMagic) return Damaged("it does not begin with ZWFP");
  Decoder versioned(encoded.substr(kMagic.size()));
  ZHIWEN_ASSIGN_OR_RETURN(const uint64_t version, versioned.Varint());
  if (version == 0 || version > kNewestVersion) {
    return Fail(ErrorCode::kConflict,
                fmt::format("cannot read a stored fingerprint of format version {}: this program "
                            "reads versions 1 to {}; use the program that wrote it",
                            version, kNewestVersion));
  }
  if (versioned.rest().size() < kChecksumBytes) return Damaged("it ends early");
  const size_t body_end = encoded.size() - kChecksumBytes;
  ZHIWEN_ASSIGN_OR_RETURN(const uint32_t checksum, Decoder(encoded.substr(body_end)).Fixed32());
  if (checksum != Crc32c(encoded.substr(0, body_end))) return Damaged("its checksum is wrong");
  Decoder body(versioned.rest().substr(0, versioned.rest().size() - kChecksumBytes));
  return DecodeBody(body, version);
}

}  // namespace zhiwen
