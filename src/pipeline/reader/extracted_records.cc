#include "pipeline/reader/extracted_records.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "pipeline/reader/member_document.h"
#include "zhiwen/body_tree.h"
#include "zhiwen/source_places.h"

namespace zhiwen {
namespace {

struct FactField {
  std::string_view name;
  std::string ExtractedDocument::*fact;
};

constexpr std::array<FactField, 7> kFactFields = {{
    {"title", &ExtractedDocument::title},
    {"author", &ExtractedDocument::author},
    {"date", &ExtractedDocument::date},
    {"site", &ExtractedDocument::site},
    {"url", &ExtractedDocument::url},
    {"language", &ExtractedDocument::language},
    {"member", &ExtractedDocument::member},
}};

struct CountField {
  std::string_view name;
  uint64_t ExtractedDocument::*count;
};

constexpr std::array<CountField, 2> kCountFields = {{
    {"pictures", &ExtractedDocument::pictures},
    {"obfuscated", &ExtractedDocument::obfuscated},
}};

// Of captures, too.
struct CaptureField {
  std::string_view name;
  std::string CaptureDocument::*fact;
};

constexpr std::array<CaptureField, 2> kCaptureFields = {{
    {"record_id", &CaptureDocument::record_id},
    {"captured", &CaptureDocument::captured},
}};

// The depth of each line of the text (BodyLevels).
constexpr std::string_view kLevelsField = "levels";
// Where each line of the text stands in the bytes of the document (SourcePlaces).
constexpr std::string_view kSourcesField = "sources";
// ExtractedDocument::share; a plain text is all of its document, and says nothing.
constexpr std::string_view kShareField = "share";

bool HasField(RecordFormat format, std::string_view name) {
  return name == kLevelsField || name == kSourcesField || name == kShareField ||
         name == kPictureField ||
         std::ranges::find(kFactFields, name, &FactField::name) != kFactFields.end() ||
         std::ranges::find(kCountFields, name, &CountField::name) != kCountFields.end() ||
         (format == RecordFormat::kWarc &&
          std::ranges::find(kCaptureFields, name, &CaptureField::name) != kCaptureFields.end());
}

RecordFault FaultOf(const Error& error) {
  const bool is_large = error.code == ErrorCode::kExhausted;
  return {is_large ? RecordFault::Reason::kTooLarge : RecordFault::Reason::kUnreadableDocument,
          error.message};
}

}  // namespace

Result<CaptureDocument> ExtractRecord(const RecordBlock& block, std::string_view bytes,
                                      uint64_t max_bytes) {
  const DocumentHints& hints = block.head->hints;
  if (block.format == RecordFormat::kWarc) return ExtractCapture(bytes, hints, max_bytes);
  if (block.format == RecordFormat::kArchive) return ExtractMember(bytes, hints);
  ZHIWEN_ASSIGN_OR_RETURN(ExtractedDocument document, ExtractDocument(bytes, hints));
  return CaptureDocument{.document = std::move(document)};
}

std::vector<std::string> ExtractedRecords::FieldNames(RecordFormat format) {
  std::vector<std::string> names;
  names.reserve(kFactFields.size() + kCountFields.size() + kCaptureFields.size() + 4);
  for (const FactField& field : kFactFields) names.emplace_back(field.name);
  for (const CountField& field : kCountFields) names.emplace_back(field.name);
  names.emplace_back(kLevelsField);
  names.emplace_back(kSourcesField);
  names.emplace_back(kShareField);
  names.emplace_back(kPictureField);
  if (format != RecordFormat::kWarc) return names;
  for (const CaptureField& field : kCaptureFields) names.emplace_back(field.name);
  return names;
}

// A fact that the document does not say is no value.
std::optional<std::string_view> ExtractedRecords::Find(std::string_view field) {
  for (const auto& [name, fact] : kFactFields) {
    if (name == field && !(capture_.document.*fact).empty()) return capture_.document.*fact;
  }
  for (const auto& [name, fact] : kCaptureFields) {
    if (name == field && !(capture_.*fact).empty()) return capture_.*fact;
  }
  if (field == kPictureField && !picture_.empty()) return picture_;
  for (size_t i = 0; i < kCountFields.size(); ++i) {
    const uint64_t count = capture_.document.*kCountFields[i].count;
    if (kCountFields[i].name == field && count > 0) return counts_[i] = std::to_string(count);
  }
  if (field == kLevelsField && !capture_.document.text.empty()) {
    levels_ = BodyLevels(MakeBodyTree(capture_.document));
    return levels_;
  }
  if (field == kSourcesField && !capture_.document.text.empty()) {
    sources_ = SourcePlaces::FieldOf(capture_.document);
    return sources_;
  }
  if (field == kShareField && capture_.document.share > 0 &&
      capture_.document.type != DocumentType::kText) {
    // As `zhiwen extract` says it, but never 0 for a text.
    constexpr double kLeast = 0.001;
    share_ = fmt::format("{:.3f}", std::max(capture_.document.share, kLeast));
    return share_;
  }
  return std::nullopt;
}

ParsedRecord ExtractedRecords::Parse(const RecordBlock& block, std::string_view bytes) {
  capture_ = {};
  picture_ = {};
  if (asks_pictures_ && block.format == RecordFormat::kDocument && BeginsAsPicture(bytes)) {
    Result<std::string> pixels = DecodePicture(bytes);
    if (!pixels) return FaultOf(pixels.error());
    picture_ = *std::move(pixels);
  } else {
    Result<CaptureDocument> extracted = ExtractRecord(block, bytes, max_bytes_);
    if (!extracted) return FaultOf(extracted.error());
    capture_ = *std::move(extracted);
  }
  Document document{.text = capture_.document.text,
                    .id = std::nullopt,
                    .policy = {},
                    .no_document = capture_.no_document};
  found_.clear();
  // What is no document has no values by which it could be taken for another one.
  const bool is_document = capture_.no_document.empty();
  if (block.format == RecordFormat::kWarc && is_document) {
    document.id = Find(id_ == "id" ? "url" : id_);
  }
  if (block.format == RecordFormat::kArchive && is_document) {
    member_id_ = IdOfMember(block.head->name, capture_.member);
    document.id = id_ == "id" ? member_id_ : Find(id_);
  }
  for (const std::string& field : policy_) {
    document.policy.push_back(is_document ? Find(field) : std::nullopt);
    found_.push_back(HasField(block.format, field) ? 1 : 0);
  }
  document.found_policy = found_;
  return document;
}

ParsedRecord ExtractedRecords::ExtractField(Document document, DocumentType type) {
  Result<ExtractedDocument> extracted =
      ExtractDocument(document.text, {.type = type, .asked_encoding = TextEncoding::kUtf8});
  if (!extracted) return FaultOf(extracted.error());
  capture_.document = *std::move(extracted);
  document.text = capture_.document.text;
  for (size_t i = 0; i < policy_.size(); ++i) {
    const bool is_of_text =
        policy_[i] == kLevelsField || policy_[i] == kSourcesField || policy_[i] == kShareField ||
        std::ranges::find(kCountFields, policy_[i], &CountField::name) != kCountFields.end();
    if (is_of_text && !document.policy[i]) document.policy[i] = Find(policy_[i]);
  }
  return document;
}

}  // namespace zhiwen
