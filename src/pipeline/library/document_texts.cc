#include "pipeline/library/document_texts.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace zhiwen {
namespace {

constexpr size_t kMostBytes = size_t{64} << 20;      // of texts that are held
constexpr uint64_t kBytesAhead = uint64_t{1} << 20;  // of texts that are read together

}  // namespace

Status DocumentTexts::ReadAhead(std::span<const std::optional<StoredDocument>> documents) {
  std::vector<uint64_t> keys;
  uint64_t bytes = 0;
  for (const std::optional<StoredDocument>& document : documents) {
    if (texts_.contains(document->text) || std::ranges::count(keys, document->text) != 0) continue;
    bytes += document->bytes;
    if (bytes > kBytesAhead) break;
    keys.push_back(document->text);
  }
  if (keys.size() < 2) return {};
  return store_.ReadTexts(keys,
                          [&](uint64_t key, std::string text) { Keep(key, std::move(text)); });
}

Result<const std::string*> DocumentTexts::Of(const StoredDocument& document) {
  const auto known = texts_.find(document.text);
  if (known != texts_.end()) return &known->second;
  Result<std::string> text = store_.ReadText(document.text);
  if (!text && text.error().code == ErrorCode::kNotFound) return nullptr;
  if (!text) return Fail(std::move(text));
  return Keep(document.text, *std::move(text));
}

const std::string* DocumentTexts::Keep(uint64_t key, std::string text) {
  if (bytes_ > kMostBytes) {
    texts_.clear();
    bytes_ = 0;
  }
  bytes_ += text.size();
  return &texts_.insert_or_assign(key, std::move(text)).first->second;
}

}  // namespace zhiwen
