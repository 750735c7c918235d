#ifndef ZHIWEN_INDEX_CODES_MERGED_ROWS_H_
#define ZHIWEN_INDEX_CODES_MERGED_ROWS_H_

// Merges the rows of several segments: in order, each once, without the deleted ones.
//
// Cost        8 bytes for each code whose rows are all deleted; each visit reads the segments from
//             front to back
// Threads     const after Create: one visit at a time
// Fails       kUnreadable, naming the file; and as `cancellation` says

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "index/codes/code_segment.h"
#include "index/codes/segment_rows.h"
#include "index/durable/row_bitmap.h"
#include "zhiwen/environment.h"
#include "zhiwen/result.h"

namespace zhiwen {

struct MergeInput {
  const CodeSegment* segment = nullptr;
  const RowBitmap* deleted = nullptr;
};

// Iterates over the codes of all inputs, by their entries under the low half.
class MergeCursor {
 public:
  enum class Labels : uint8_t { kRead, kSkip };

  MergeCursor(std::span<const MergeInput> inputs, Labels labels);

  // Moves to the next code. Returns false after the last one.
  Result<bool> Next();
  uint64_t entry() const { return entry_; }
  // is_live() returns whether the code has rows that are not deleted. labels() returns their
  // distinct labels, ascending, if labels are read.
  bool is_live() const { return is_live_; }
  std::span<const std::string_view> labels() const { return labels_; }

 private:
  struct Source {
    MergeInput input;
    PackedCursor codes;
    LabelCursor labels;
    bool is_there = true;
  };

  Status Take(Source& source);

  const Labels reads_labels_;
  std::vector<Source> sources_;
  bool has_begun_ = false;
  uint64_t entry_ = 0;
  bool is_live_ = false;
  std::vector<std::string_view> labels_;
};

class MergedRows final : public SegmentRows {
 public:
  // Counts the rows. All arguments must outlive the object; the inputs must have codes of one size.
  static Result<std::unique_ptr<MergedRows>> Create(std::vector<MergeInput> inputs,
                                                    ProgressSink& progress,
                                                    const Cancellation& cancellation);

  uint32_t code_bits() const override { return inputs_.front().segment->code_bits(); }
  uint64_t codes() const override { return codes_; }
  uint64_t rows() const override { return rows_; }
  bool has_labels() const override { return has_labels_; }
  Status VisitLow(const VisitEntry& visit) const override;
  Status VisitHigh(const VisitEntry& visit) const override;
  Status VisitRows(const VisitRow& visit) const override;

 private:
  MergedRows(std::vector<MergeInput> inputs, ProgressSink& progress,
             const Cancellation& cancellation);
  Status Count();
  Status Step() const;

  const std::vector<MergeInput> inputs_;
  ProgressSink& progress_;
  const Cancellation& cancellation_;
  uint64_t codes_ = 0, rows_ = 0;
  bool has_labels_ = false;
  std::vector<uint64_t> dropped_;  // entries by the high half, ascending
  uint64_t steps_ = 0;             // steps of all visits
  mutable uint64_t step_ = 0;
};

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_CODES_MERGED_ROWS_H_
