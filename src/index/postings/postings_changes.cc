#include "index/postings/postings_changes.h"

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "base/coding.h"
#include "index/postings/posting_coding.h"
#include "index/postings/postings_index.h"

namespace zhiwen {
namespace {

Status ReadFeatures(Decoder& decoder, PostingsAction action, std::vector<FeatureAt>& features) {
  const bool has_positions = action == PostingsAction::kAddWithPositions;
  const uint64_t bytes = sizeof(uint64_t) + (has_positions ? sizeof(uint32_t) : 0);
  ZHIWEN_ASSIGN_OR_RETURN(const uint64_t count, decoder.Varint());
  if (count > decoder.rest().size() / bytes) {
    return Fail(ErrorCode::kUnreadable, "a record of the log has a document that is cut off");
  }
  features.resize(count);
  for (FeatureAt& at : features) {
    ZHIWEN_ASSIGN_OR_RETURN(at.feature, decoder.Fixed64());
    at.position = 0;
    if (has_positions) {
      ZHIWEN_ASSIGN_OR_RETURN(at.position, decoder.Fixed32());
    }
  }
  if (std::ranges::adjacent_find(features, std::greater_equal<>()) == features.end()) return {};
  return Fail(ErrorCode::kUnreadable, "a record of the log has features that are not in order");
}

}  // namespace

PostingsAction AdditionOf(PostingsContent content) {
  return content == PostingsContent::kPositions ? PostingsAction::kAddWithPositions
                                                : PostingsAction::kAdd;
}

void PostingsChanges::Add(uint32_t document, std::span<const FeatureAt> features) {
  sorted_.assign(features.begin(), features.end());
  for (FeatureAt& at : sorted_) {
    if (options_.keys == FeatureKeys::kShort) at.feature = ShortenFeature(at.feature);
    if (options_.content == PostingsContent::kDocuments) at.position = 0;
  }
  std::ranges::sort(sorted_);
  const auto repeated = std::ranges::unique(sorted_);
  sorted_.erase(repeated.begin(), repeated.end());
  bytes_.push_back(static_cast<char>(AdditionOf(options_.content)));
  AppendFixed32(bytes_, document);
  AppendVarint(bytes_, sorted_.size());
  for (const FeatureAt& at : sorted_) {
    AppendFixed64(bytes_, at.feature);
    if (options_.content == PostingsContent::kPositions) AppendFixed32(bytes_, at.position);
  }
  ++additions_;
}

void PostingsChanges::Remove(uint32_t document) {
  bytes_.push_back(static_cast<char>(PostingsAction::kRemove));
  AppendFixed32(bytes_, document);
  ++removals_;
}

void PostingsChanges::Clear() {
  bytes_.clear();  // keeps its capacity
  additions_ = removals_ = 0;
}

Status VisitChanges(std::string_view bytes,
                    const std::function<Status(const PostingsChange& change)>& visit) {
  std::vector<FeatureAt> features;
  Decoder decoder(bytes);
  while (!decoder.rest().empty()) {
    const auto action = static_cast<uint8_t>(decoder.rest().front());
    if (action > static_cast<uint8_t>(PostingsAction::kRemove)) {
      return Fail(ErrorCode::kUnreadable, "a record of the log has a change of an unknown kind");
    }
    decoder = Decoder(decoder.rest().substr(1));
    PostingsChange change;
    change.action = static_cast<PostingsAction>(action);
    ZHIWEN_ASSIGN_OR_RETURN(change.document, decoder.Fixed32());
    if (change.action != PostingsAction::kRemove) {
      ZHIWEN_RETURN_IF_ERROR(ReadFeatures(decoder, change.action, features));
      change.features = features;
    }
    ZHIWEN_RETURN_IF_ERROR(visit(change));
  }
  return {};
}

}  // namespace zhiwen
