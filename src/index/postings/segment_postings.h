#ifndef ZHIWEN_INDEX_POSTINGS_SEGMENT_POSTINGS_H_
#define ZHIWEN_INDEX_POSTINGS_SEGMENT_POSTINGS_H_

// What a segment of postings is made of, gone through more than once. A document is a row, in the
// order of their numbers; features have the rows of their documents.

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "index/postings/memory_postings.h"
#include "index/postings/overlap_index.h"
#include "index/postings/posting_coding.h"
#include "zhiwen/result.h"

namespace zhiwen {

class SegmentPostings {
 public:
  using VisitDocument = std::function<Status(uint32_t document)>;

  virtual ~SegmentPostings() = default;

  virtual PostingsContent content() const = 0;
  virtual uint64_t rows() const = 0;

  // All documents, ascending; all features, as WritePostings takes them. Fail as the source and
  // the argument do.
  virtual Status VisitDocuments(const VisitDocument& visit) const = 0;
  virtual Status VisitFeatures(const FeatureTake& take) const = 0;
};

// Those of documents in memory, which must outlive the object, and not change.
class SegmentOfMemory final : public SegmentPostings {
 public:
  explicit SegmentOfMemory(const MemoryPostings& memory)
      : documents_(memory.Documents()), source_(memory.RowSource()) {}

  PostingsContent content() const override { return source_.content; }
  uint64_t rows() const override { return documents_.size(); }
  Status VisitDocuments(const VisitDocument& visit) const override {
    for (const uint32_t document : documents_) ZHIWEN_RETURN_IF_ERROR(visit(document));
    return {};
  }
  Status VisitFeatures(const FeatureTake& take) const override { return source_.visit(take); }

 private:
  const std::vector<uint32_t> documents_;
  const PostingsSource source_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_POSTINGS_SEGMENT_POSTINGS_H_
