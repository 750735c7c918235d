#include "pipeline/reader/extracted_records.h"

#include <algorithm>
#include <array>
#include <utility>

namespace zhiwen {
namespace {

struct FactField {
  std::string_view name;
  std::string ExtractedDocument::*fact;
};

constexpr std::array<FactField, 6> kFactFields = {{
    {"title", &ExtractedDocument::title},
    {"author", &ExtractedDocument::author},
    {"date", &ExtractedDocument::date},
    {"site", &ExtractedDocument::site},
    {"url", &ExtractedDocument::url},
    {"language", &ExtractedDocument::language},
}};

}  // namespace

std::vector<std::string> ExtractedRecords::FieldNames() {
  std::vector<std::string> names;
  for (const FactField& field : kFactFields) names.emplace_back(field.name);
  return names;
}

// A fact that the document does not say is no value.
std::optional<std::string_view> ExtractedRecords::Find(std::string_view field) const {
  for (const auto& [name, fact] : kFactFields) {
    if (name == field && !(document_.*fact).empty()) return document_.*fact;
  }
  return std::nullopt;
}

ParsedRecord ExtractedRecords::Parse(const RecordBlock& block, std::string_view bytes) {
  Result<ExtractedDocument> extracted = ExtractDocument(bytes, block.head->hints);
  if (!extracted) {
    return RecordFault{RecordFault::Reason::kUnreadableDocument, extracted.error().message};
  }
  document_ = *std::move(extracted);
  Document document{.text = document_.text, .id = std::nullopt, .policy = {}};
  found_.clear();
  for (const std::string& field : policy_) {
    document.policy.push_back(Find(field));
    found_.push_back(
        std::ranges::find(kFactFields, field, &FactField::name) != kFactFields.end() ? 1 : 0);
  }
  document.found_policy = found_;
  return document;
}

}  // namespace zhiwen
