#ifndef ZHIWEN_INDEX_POSTINGS_POSTINGS_PARTS_H_
#define ZHIWEN_INDEX_POSTINGS_POSTINGS_PARTS_H_

// Searches segments and the rows in memory as one index. Every document is in at most one part.
//
// Guarantees  exact over the documents that are not deleted, as OverlapIndex says. Frequencies,
//             which OverlapOptions bounds and statistics() returns, are sums over parts in which
//             deleted documents count, until a merge leaves them out
// Cost        that of one index of all documents, deleted ones included, and a look-up of each
//             feature in each part
// Threads     const functions from many threads
// Fails       kUnreadable, naming the file; kExhausted for 2³² documents, with deleted ones

#include <cstdint>
#include <span>
#include <vector>

#include "index/durable/row_bitmap.h"
#include "index/postings/memory_postings.h"
#include "index/postings/overlap_index.h"
#include "index/postings/postings_segment.h"
#include "index/postings/top_overlap.h"
#include "zhiwen/result.h"

namespace zhiwen {

struct PostingsPart {
  const PostingsSegment* segment = nullptr;
  const RowBitmap* deleted = nullptr;
};

class PostingsParts final : public OverlapIndex {
 public:
  // All arguments must outlive the object, and have one content.
  PostingsParts(std::vector<PostingsPart> segments, const MemoryPostings& memory)
      : segments_(std::move(segments)), memory_(memory) {}

  // Features in several parts count in each. Deleted documents do not count.
  PostingsStatistics statistics() const override;
  PostingsContent content() const override { return memory_.content(); }
  uint64_t bytes() const override;
  Status FindDocuments(uint64_t feature, std::vector<uint32_t>& documents) const override;
  Status FindPositions(uint64_t feature, uint32_t document,
                       std::vector<uint32_t>& positions) const override;
  Result<OverlapAnswer> Query(std::span<const uint64_t> features,
                              const OverlapOptions& options) const override;
  // Returns the lists of distinct features, ascending; valid while the segments and the memory are,
  // and nothing changes them.
  Result<FoundLists> ListsOf(std::span<const uint64_t> distinct) const;

 private:
  const std::vector<PostingsPart> segments_;
  const MemoryPostings& memory_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_POSTINGS_POSTINGS_PARTS_H_
