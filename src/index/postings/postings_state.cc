#include "index/postings/postings_state.h"

#include <mutex>
#include <string>
#include <utility>

namespace zhiwen {

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
