#ifndef ZHIWEN_INDEX_POSTINGS_MERGED_POSTINGS_H_
#define ZHIWEN_INDEX_POSTINGS_MERGED_POSTINGS_H_

// Merges the documents of several segments, without deleted documents and without the features that
// only these have.
//
// Cost        4 bytes a document, deleted ones included, and the postings of one feature; each
//             visit reads the segments from front to back
// Threads     const after Create: one visit at a time
// Fails       kUnreadable, naming the file, also where two segments have the same document; and as
//             `cancellation` says

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "index/durable/row_bitmap.h"
#include "index/postings/postings_segment.h"
#include "index/postings/segment_postings.h"
#include "zhiwen/environment.h"
#include "zhiwen/result.h"

namespace zhiwen {

struct PostingsMergeInput {
  const PostingsSegment* segment = nullptr;
  const RowBitmap* deleted = nullptr;
};

class MergedPostings final : public SegmentPostings {
 public:
  // Numbers the documents. All arguments must outlive the object; there must be at least one input,
  // and all must have one content.
  static Result<std::unique_ptr<MergedPostings>> Create(std::vector<PostingsMergeInput> inputs,
                                                        ProgressSink& progress,
                                                        const Cancellation& cancellation);

  PostingsContent content() const override { return inputs_.front().segment->content(); }
  uint64_t rows() const override { return rows_; }
  Status VisitDocuments(const VisitDocument& visit) const override;
  Status VisitFeatures(const FeatureTake& take) const override;

 private:
  class FeatureMerge;
  // Receives a document that is not deleted, with its input and row.
  using VisitRow = std::function<Status(uint32_t document, size_t input, uint64_t row)>;

  MergedPostings(std::vector<PostingsMergeInput> inputs, ProgressSink& progress,
                 const Cancellation& cancellation);
  Status NumberRows();
  Status VisitRows(const VisitRow& visit) const;
  Status Step() const;

  const std::vector<PostingsMergeInput> inputs_;
  ProgressSink& progress_;
  const Cancellation& cancellation_;
  uint64_t rows_ = 0;
  std::vector<std::vector<uint32_t>> new_rows_;  // by input and row; kDeleted for deleted rows
  uint64_t steps_ = 0;                           // steps of all visits
  mutable uint64_t step_ = 0;
};

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_POSTINGS_MERGED_POSTINGS_H_
