#ifndef ZHIWEN_INDEX_MINHASH_MERGED_SKETCHES_H_
#define ZHIWEN_INDEX_MINHASH_MERGED_SKETCHES_H_

// Merges the live documents of several segments. Entries of bands are merged as they are, under the
// new numbers of their rows, so no signature is needed.
//
// Cost        4 bytes of memory a row of the inputs, 2 a row that is live; each visit reads its
//             part of the segments from front to back, those of bands with deleted rows twice
// Threads     const after Create: one visit at a time
// Fails       kUnreadable, naming the file, also where a document is live twice; and as
//             `cancellation` says

#include <cstdint>
#include <memory>
#include <vector>

#include "index/durable/row_bitmap.h"
#include "index/minhash/sketch_segment.h"
#include "zhiwen/environment.h"
#include "zhiwen/result.h"

namespace zhiwen {

struct SketchInput {
  const SketchSegment* segment = nullptr;
  const RowBitmap* deleted = nullptr;
};

class MergedSketches final : public SketchRows {
 public:
  // Numbers the live rows, which are fewer than 2³². The inputs have one form and are fewer than
  // 2¹⁶; all arguments must outlive the object.
  static Result<std::unique_ptr<MergedSketches>> Create(std::vector<SketchInput> inputs,
                                                        ProgressSink& progress,
                                                        const Cancellation& cancellation);

  const SketchForm& form() const override { return inputs_.front().segment->form(); }
  uint64_t rows() const override { return input_of_.size(); }
  uint64_t entries(uint32_t band) const override { return entries_[band]; }
  Status VisitDocuments(const VisitDocument& visit) const override;
  Status VisitAllBits(const VisitBits& visit) const override;
  Status VisitBand(uint32_t band, const VisitEntry& visit) const override;

 private:
  class BandCursor;

  MergedSketches(std::vector<SketchInput> inputs, ProgressSink& progress,
                 const Cancellation& cancellation)
      : inputs_(std::move(inputs)), progress_(progress), cancellation_(cancellation) {}
  Status NumberRows();
  Status CountEntries();
  Status Step() const;
  // Calls visit(segment, row) for the live rows, in their order.
  template <typename Visit>
  Status VisitLive(const Visit& visit) const;

  const std::vector<SketchInput> inputs_;
  ProgressSink& progress_;
  const Cancellation& cancellation_;
  std::vector<std::vector<uint32_t>> new_rows_;  // for each input; kNoRow for deleted rows
  std::vector<uint16_t> input_of_;               // for each new row
  std::vector<uint64_t> entries_;                // for each band
  uint64_t steps_ = 0;                           // steps of all visits
  mutable uint64_t step_ = 0;
};

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_MINHASH_MERGED_SKETCHES_H_
