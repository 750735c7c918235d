#include "index/postings/postings_state.h"

#include <mutex>
#include <string>
#include <utility>

#include "index/postings/posting_coding.h"
#include "index/postings/top_overlap.h"

namespace zhiwen {
namespace {

// Returns what an index keeps of features, distinct, ascending.
std::vector<uint64_t> KeptFeatures(std::span<const uint64_t> features, FeatureKeys keys) {
  if (keys == FeatureKeys::kWhole) return DistinctFeatures(features);
  std::vector<uint64_t> kept;
  kept.reserve(features.size());
  for (const uint64_t feature : features) kept.push_back(ShortenFeature(feature));
  return DistinctFeatures(kept);
}

template <typename Lock>
class LockedLists final : public FeatureLists {
 public:
  LockedLists(Lock lock, FeatureKeys keys, FoundLists found)
      : lock_(std::move(lock)), keys_(keys), found_(std::move(found)) {}

  Result<OverlapAnswer> Query(std::span<const uint64_t> features,
                              const OverlapOptions& options) const override {
    const std::vector<uint64_t> kept = KeptFeatures(features, keys_);
    std::vector<ListOfFeature> lists;
    auto next = found_.lists.begin();
    for (const uint64_t feature : kept) {
      while (next != found_.lists.end() && next->feature < feature) ++next;
      if (next == found_.lists.end()) break;
      if (next->feature == feature) lists.push_back(*next);
    }
    return FindTopOverlap(kept.size(), std::move(lists), *found_.source, options);
  }

 private:
  const Lock lock_;
  const FeatureKeys keys_;
  const FoundLists found_;
};

}  // namespace

PostingsParts PostingsState::Parts() const {
  std::vector<PostingsPart> parts;
  parts.reserve(segments().size());
  for (const auto& segment : segments()) parts.push_back({segment.segment.get(), &segment.deleted});
  return {std::move(parts), memory().postings()};
}

PostingsStatistics PostingsState::statistics() const {
  const auto lock = Read();
  return Parts().statistics();
}

uint64_t PostingsState::bytes() const {
  const auto lock = Read();
  return Parts().bytes();
}

Status PostingsState::FindDocuments(uint64_t feature, std::vector<uint32_t>& documents) const {
  ZHIWEN_ASSIGN_OR_RETURN(const ReadLock lock, ReadWhole());
  return Parts().FindDocuments(Kept(feature), documents);
}

Status PostingsState::FindPositions(uint64_t feature, uint32_t document,
                                    std::vector<uint32_t>& positions) const {
  ZHIWEN_ASSIGN_OR_RETURN(const ReadLock lock, ReadWhole());
  return Parts().FindPositions(Kept(feature), document, positions);
}

Result<OverlapAnswer> PostingsState::Query(std::span<const uint64_t> features,
                                           const OverlapOptions& options) const {
  ZHIWEN_ASSIGN_OR_RETURN(const ReadLock lock, ReadWhole());
  return Parts().Query(KeptFeatures(features, settings().keys), options);
}

Result<std::unique_ptr<FeatureLists>> PostingsState::LookUp(
    std::span<const uint64_t> features) const {
  ZHIWEN_ASSIGN_OR_RETURN(ReadLock lock, ReadWhole());
  ZHIWEN_ASSIGN_OR_RETURN(FoundLists found,
                          Parts().ListsOf(KeptFeatures(features, settings().keys)));
  return std::make_unique<LockedLists<ReadLock>>(std::move(lock), settings().keys,
                                                 std::move(found));
}

PostingsIndexStats PostingsState::stats() const {
  const auto lock = Read();
  PostingsIndexStats stats = {.segments = {},
                              .log = memory().postings().statistics(),
                              .generation = generation(),
                              .sequence = sequence(),
                              .log_bytes = log_bytes()};
  for (const auto& segment : segments()) {
    const std::string& path = segment.segment->path();
    stats.segments.push_back({.file = path.substr(path.rfind('/') + 1),
                              .statistics = segment.segment->postings().statistics(),
                              .deleted_documents = segment.deleted.count(),
                              .bytes = segment.segment->bytes()});
  }
  return stats;
}

}  // namespace zhiwen
