#ifndef ZHIWEN_INDEX_POSTINGS_POSTINGS_STATE_H_
#define ZHIWEN_INDEX_POSTINGS_POSTINGS_STATE_H_

// A state of an index of documents, which answers queries.
//
// Threads     functions of PostingsIndex from many threads; see segmented_state.h

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "index/durable/segmented_state.h"
#include "index/postings/posting_coding.h"
#include "index/postings/postings_index.h"
#include "index/postings/postings_kind.h"
#include "index/postings/postings_parts.h"

namespace zhiwen {

class PostingsState final : public PostingsIndex, public SegmentedState<PostingsIndexKind> {
 public:
  explicit PostingsState(const PostingsIndexOptions& options) : SegmentedState(options) {}

  PostingsStatistics statistics() const override;
  PostingsContent content() const override { return settings().content; }
  const PostingsIndexOptions& options() const override { return settings(); }
  uint64_t bytes() const override;
  Status FindDocuments(uint64_t feature, std::vector<uint32_t>& documents) const override;
  Status FindPositions(uint64_t feature, uint32_t document,
                       std::vector<uint32_t>& positions) const override;
  Result<OverlapAnswer> Query(std::span<const uint64_t> features,
                              const OverlapOptions& options) const override;
  Result<std::unique_ptr<FeatureLists>> LookUp(std::span<const uint64_t> features) const override;
  PostingsIndexStats stats() const override;

 private:
  // The caller must hold Read().
  PostingsParts Parts() const;
  uint64_t Kept(uint64_t feature) const {
    return settings().keys == FeatureKeys::kShort ? ShortenFeature(feature) : feature;
  }
};

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_POSTINGS_POSTINGS_STATE_H_
