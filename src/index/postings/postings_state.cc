#include "index/postings/postings_state.h"

#include <mutex>
#include <string>
#include <utility>

#include "index/postings/top_overlap.h"

namespace zhiwen {
namespace {

template <typename Lock>
class LockedLists final : public FeatureLists {
 public:
  LockedLists(Lock lock, FoundLists found) : lock_(std::move(lock)), found_(std::move(found)) {}

  Result<OverlapAnswer> Query(std::span<const uint64_t> features,
                              const OverlapOptions& options) const override {
    const std::vector<uint64_t> distinct = DistinctFeatures(features);
    std::vector<ListOfFeature> lists;
    auto next = found_.lists.begin();
    for (const uint64_t feature : distinct) {
      while (next != found_.lists.end() && next->feature < feature) ++next;
      if (next == found_.lists.end()) break;
      if (next->feature == feature) lists.push_back(*next);
    }
    return FindTopOverlap(distinct.size(), std::move(lists), *found_.source, options);
  }

 private:
  const Lock lock_;
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
  return Parts().FindDocuments(feature, documents);
}

Status PostingsState::FindPositions(uint64_t feature, uint32_t document,
                                    std::vector<uint32_t>& positions) const {
  ZHIWEN_ASSIGN_OR_RETURN(const ReadLock lock, ReadWhole());
  return Parts().FindPositions(feature, document, positions);
}

Result<OverlapAnswer> PostingsState::Query(std::span<const uint64_t> features,
                                           const OverlapOptions& options) const {
  ZHIWEN_ASSIGN_OR_RETURN(const ReadLock lock, ReadWhole());
  return Parts().Query(features, options);
}

Result<std::unique_ptr<FeatureLists>> PostingsState::LookUp(
    std::span<const uint64_t> features) const {
  ZHIWEN_ASSIGN_OR_RETURN(ReadLock lock, ReadWhole());
  ZHIWEN_ASSIGN_OR_RETURN(FoundLists found, Parts().ListsOf(DistinctFeatures(features)));
  return std::make_unique<LockedLists<ReadLock>>(std::move(lock), std::move(found));
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
