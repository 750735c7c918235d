#include "zhiwen/library_verify.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>
#include <utility>

#include "base/json/json_writer.h"

namespace zhiwen {
namespace {

constexpr std::array<std::string_view, 5> kFindingNames = {"equal", "different", "only_in_library",
                                                           "only_in_file", "missing"};

Result<FingerprintBytes> MetadataOf(const Scheme& scheme, const DocumentFields& fields) {
  ZHIWEN_ASSIGN_OR_RETURN(Fingerprint value, scheme.ComputeDocument(fields));
  if (!HasValue(value)) return FingerprintBytes(kMetadataBytes);  // all parts are missing
  auto* const bytes = std::get_if<FingerprintBytes>(&value);
  if (bytes != nullptr && bytes->size() == kMetadataBytes) return std::move(*bytes);
  return Fail(ErrorCode::kInvalidArgument,
              "a document is verified by a scheme of the family metadata, and not by " +
                  scheme.canonical_name());
}

PartFinding FindingOf(const VerifiedDocument& verified, size_t part, PartAgreement agreement) {
  if (agreement == PartAgreement::kEqual) return PartFinding::kEqual;
  if (agreement == PartAgreement::kDifferent) return PartFinding::kDifferent;
  if (!MetadataPart(verified.stored, part).empty()) return PartFinding::kOnlyStored;
  return MetadataPart(verified.given, part).empty() ? PartFinding::kMissing
                                                    : PartFinding::kOnlyGiven;
}

void WriteHash(JsonWriter& json, std::string_view key, std::span<const uint8_t> part) {
  json.Key(key);
  if (part.empty()) {
    json.Null();
  } else {
    json.String(fmt::format("{:02x}", fmt::join(part, "")));
  }
}

}  // namespace

std::string_view PartFindingName(PartFinding finding) {
  return kFindingNames[static_cast<size_t>(finding)];
}

bool VerifiedDocument::Has(PartFinding finding) const {
  return std::ranges::find(parts, finding) != parts.end();
}

Result<VerifiedDocument> VerifyDocument(const Library& library, const StoredDocument& document,
                                        const DocumentFields& given, const Scheme& metadata) {
  ZHIWEN_ASSIGN_OR_RETURN(const std::string text, library.ReadText(document));
  VerifiedDocument verified = {
      .document = document, .scheme = metadata.canonical_name(), .stored = {}, .given = {}};
  const DocumentLabels& labels = document.labels;
  ZHIWEN_ASSIGN_OR_RETURN(verified.stored, MetadataOf(metadata, {.text = text,
                                                                 .title = labels.title,
                                                                 .author = labels.author,
                                                                 .published = labels.date}));
  ZHIWEN_ASSIGN_OR_RETURN(verified.given, MetadataOf(metadata, given));
  const auto agreements = CompareParts(verified.stored, verified.given);
  for (size_t part = 0; part < agreements.size(); ++part) {
    verified.parts[part] = FindingOf(verified, part, agreements[part]);
  }
  return verified;
}

std::string VerifiedDocumentToJson(const VerifiedDocument& verified, std::string_view file) {
  std::string out;
  JsonWriter json(out);
  json.BeginObject().Key("id").String(verified.document.id);
  json.Key("version").Unsigned(verified.document.version).Key("file").String(file);
  json.Key("scheme").String(verified.scheme).Key("parts").BeginArray();
  for (size_t part = 0; part < verified.parts.size(); ++part) {
    json.BeginObject().Key("part").String(kMetadataParts[part]);
    json.Key("finding").String(PartFindingName(verified.parts[part]));
    WriteHash(json, "stored", MetadataPart(verified.stored, part));
    WriteHash(json, "given", MetadataPart(verified.given, part));
    json.EndObject();
  }
  json.EndArray().EndObject();
  return out;
}

}  // namespace zhiwen
