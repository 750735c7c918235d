#ifndef ZHIWEN_INDEX_POSTINGS_SEGMENT_POSTINGS_H_
#define ZHIWEN_INDEX_POSTINGS_SEGMENT_POSTINGS_H_

// The rows that a segment of postings is written from, which are visited more than once. A document
// is a row, in the order of their numbers; features have the rows of their documents.

#include <cstdint>
#include <functional>

#include "index/postings/memory_postings.h"
#include "index/postings/posting_coding.h"
#include "index/postings/postings_index.h"
#include "zhiwen/result.h"

namespace zhiwen {

class SegmentPostings {
 public:
  using VisitDocument = std::function<Status(uint32_t document)>;

  virtual ~SegmentPostings() = default;

  virtual PostingsContent content() const = 0;
  virtual uint64_t rows() const = 0;

  // Visit all documents, ascending, and all features, as WritePostings takes them. Fail as the
  // source and the argument do.
  virtual Status VisitDocuments(const VisitDocument& visit) const = 0;
  virtual Status VisitFeatures(const FeatureTake& take) const = 0;
};

// Documents in memory, which can be changed.
class MemoryDocuments final : public SegmentPostings {
 public:
  explicit MemoryDocuments(const PostingsIndexOptions& options) : postings_(options.content) {}

  MemoryPostings& postings() { return postings_; }
  const MemoryPostings& postings() const { return postings_; }

  PostingsContent content() const override { return postings_.content(); }
  uint64_t rows() const override { return postings_.size(); }
  Status VisitDocuments(const VisitDocument& visit) const override {
    for (const uint32_t document : postings_.Documents()) ZHIWEN_RETURN_IF_ERROR(visit(document));
    return {};
  }
  Status VisitFeatures(const FeatureTake& take) const override {
    return postings_.RowSource().visit(take);
  }

 private:
  MemoryPostings postings_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_POSTINGS_SEGMENT_POSTINGS_H_
