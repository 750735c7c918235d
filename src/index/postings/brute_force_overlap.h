#ifndef ZHIWEN_INDEX_POSTINGS_BRUTE_FORCE_OVERLAP_H_
#define ZHIWEN_INDEX_POSTINGS_BRUTE_FORCE_OVERLAP_H_

// Compares the features of every document with those of the query. This is the definition that the
// other indexes are compared with.
//
// Cost        a query reads all features of all documents
// Threads     const functions from many threads; the others alone
// Not for     use: MemoryPostings answers the same

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "index/postings/overlap_index.h"

namespace zhiwen {

class BruteForceOverlap final : public MutableOverlapIndex {
 public:
  explicit BruteForceOverlap(PostingsContent content) : content_(content) {}

  PostingsStatistics statistics() const override;
  PostingsContent content() const override { return content_; }
  uint64_t bytes() const override;
  Status FindDocuments(uint64_t feature, std::vector<uint32_t>& documents) const override;
  Status FindPositions(uint64_t feature, uint32_t document,
                       std::vector<uint32_t>& positions) const override;
  Result<OverlapAnswer> Query(std::span<const uint64_t> features,
                              const OverlapOptions& options) const override;
  bool Insert(uint32_t document, std::span<const FeatureAt> features) override;
  bool Remove(uint32_t document) override { return documents_.erase(document) > 0; }

 private:
  std::map<uint64_t, uint64_t> Frequencies() const;

  const PostingsContent content_;
  // By number: the distinct features, ascending; also by position, when positions are kept.
  std::map<uint32_t, std::vector<FeatureAt>> documents_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_POSTINGS_BRUTE_FORCE_OVERLAP_H_
