#ifndef ZHIWEN_METADATA_H_
#define ZHIWEN_METADATA_H_

// The parts of a value of the scheme metadata (docs/formats/metadata.md).

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "zhiwen/fingerprint.h"

namespace zhiwen {

inline constexpr size_t kMetadataPartBytes = 32;

// In their order.
inline constexpr std::array<std::string_view, 8> kMetadataParts = {
    "title", "author", "dates", "keywords", "abstract", "frequent_words", "edge", "fixed"};

// The same for people. The scheme says which paragraph is a part: the first or the last.
inline constexpr std::array<std::string_view, kMetadataParts.size()> kMetadataPartWords = {
    "title",
    "author",
    "dates",
    "keywords",
    "abstract",
    "frequent words",
    "opening or closing",
    "fixed passage"};

inline constexpr size_t kMetadataBytes = kMetadataParts.size() * kMetadataPartBytes;

// The bytes of one part, empty where it is missing: the document has no such thing. `value` has
// kMetadataBytes, and the view lives as long.
std::span<const uint8_t> MetadataPart(const FingerprintBytes& value, size_t part);

enum class PartAgreement : uint8_t { kMissing, kDifferent, kEqual };

// "missing", "different", "equal".
std::string_view AgreementName(PartAgreement agreement);

// Of each part. A part that one of the values lacks is missing: it equals nothing.
std::array<PartAgreement, kMetadataParts.size()> CompareParts(const FingerprintBytes& a,
                                                              const FingerprintBytes& b);

}  // namespace zhiwen

#endif  // ZHIWEN_METADATA_H_
