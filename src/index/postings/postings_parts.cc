#include "index/postings/postings_parts.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "index/postings/joined_lists.h"

namespace zhiwen {

PostingsStatistics PostingsParts::statistics() const {
  PostingsStatistics all = memory_.statistics();
  for (const PostingsPart& part : segments_) {
    const PostingsStatistics statistics = part.segment->postings().statistics();
    all.documents += statistics.documents - part.deleted->count();
    all.features += statistics.features;
    all.postings += statistics.postings;
    all.positions += statistics.positions;
    for (size_t i = 0; i < all.features_by_frequency.size(); ++i) {
      all.features_by_frequency[i] += statistics.features_by_frequency[i];
    }
  }
  return all;
}

uint64_t PostingsParts::bytes() const {
  uint64_t bytes = memory_.bytes();
  for (const PostingsPart& part : segments_) {
    bytes += part.segment->bytes() + (part.deleted->count() > 0 ? part.segment->rows() / 8 : 0);
  }
  return bytes;
}

Status PostingsParts::FindDocuments(uint64_t feature, std::vector<uint32_t>& documents) const {
  const auto before = static_cast<ptrdiff_t>(documents.size());
  std::vector<uint32_t> rows;
  for (const PostingsPart& part : segments_) {
    rows.clear();
    ZHIWEN_RETURN_IF_ERROR(part.segment->postings().FindDocuments(feature, rows));
    for (const uint32_t row : rows) {
      if (part.deleted->Has(row)) continue;
      ZHIWEN_ASSIGN_OR_RETURN(const uint32_t document, part.segment->DocumentOf(row));
      documents.push_back(document);
    }
  }
  ZHIWEN_RETURN_IF_ERROR(memory_.FindDocuments(feature, documents));
  std::sort(documents.begin() + before, documents.end());
  return {};
}

Status PostingsParts::FindPositions(uint64_t feature, uint32_t document,
                                    std::vector<uint32_t>& positions) const {
  if (memory_.Has(document)) return memory_.FindPositions(feature, document, positions);
  for (const PostingsPart& part : segments_) {
    ZHIWEN_ASSIGN_OR_RETURN(const std::optional<uint32_t> row, part.segment->RowOf(document));
    if (!row.has_value() || part.deleted->Has(*row)) continue;
    return part.segment->postings().FindPositions(feature, *row, positions);
  }
  return {};
}

Result<FoundLists> PostingsParts::ListsOf(std::span<const uint64_t> distinct) const {
  std::vector<ListsOfPart> parts;
  for (const PostingsPart& part : segments_) {
    ZHIWEN_ASSIGN_OR_RETURN(FoundLists found, part.segment->ListsOf(distinct));
    parts.push_back({std::move(found), part.deleted});
  }
  parts.push_back({memory_.ListsOf(distinct), nullptr});
  return JoinLists(distinct, std::move(parts));
}

Result<OverlapAnswer> PostingsParts::Query(std::span<const uint64_t> features,
                                           const OverlapOptions& options) const {
  const std::vector<uint64_t> distinct = DistinctFeatures(features);
  ZHIWEN_ASSIGN_OR_RETURN(FoundLists joined, ListsOf(distinct));
  return FindTopOverlap(distinct.size(), std::move(joined.lists), *joined.source, options);
}

}  // namespace zhiwen
