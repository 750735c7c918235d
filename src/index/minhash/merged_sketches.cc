#include "index/minhash/merged_sketches.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

#include <fmt/format.h>

namespace zhiwen {
namespace {

constexpr uint32_t kNoRow = UINT32_MAX;

// The least value of several inputs, and the input that has it.
using Next = std::pair<uint64_t, uint32_t>;
using NextQueue = std::priority_queue<Next, std::vector<Next>, std::greater<>>;

// Iterates over the numbers of a segment's live documents.
class DocumentCursor {
 public:
  explicit DocumentCursor(const SketchInput& input) : input_(input) {}

  Result<bool> Next() {
    while (next_ < input_.segment->rows()) {
      const uint64_t before = document_;
      const bool is_first = next_ == 0;
      row_ = next_++;
      ZHIWEN_ASSIGN_OR_RETURN(document_, input_.segment->DocumentOf(row_));
      if (!is_first && document_ <= before) {
        return Fail(ErrorCode::kUnreadable,
                    fmt::format("\"{}\" is damaged: its documents are not in order",
                                input_.segment->path()));
      }
      if (!input_.deleted->Has(row_)) return true;
    }
    return false;
  }
  uint64_t document() const { return document_; }
  uint32_t row() const { return row_; }

 private:
  const SketchInput input_;
  uint32_t next_ = 0, row_ = 0;
  uint64_t document_ = 0;
};

}  // namespace

// Iterates over the live entries of a band of an input, under their new rows.
class MergedSketches::BandCursor {
 public:
  BandCursor(const SketchSegment& segment, uint32_t band, const std::vector<uint32_t>& new_rows)
      : segment_(&segment), new_rows_(&new_rows), cursor_(segment.band(band)) {}

  Result<bool> Next() {
    for (;;) {
      ZHIWEN_ASSIGN_OR_RETURN(const bool is_there, cursor_.Next());
      if (!is_there) return false;
      const uint32_t row = ValueOf(cursor_.entry());
      ZHIWEN_RETURN_IF_ERROR(segment_->CheckRow(row));
      const uint32_t new_row = (*new_rows_)[row];
      if (new_row == kNoRow) continue;
      entry_ = EntryOf(MixedOf(cursor_.entry()), new_row);
      return true;
    }
  }
  uint64_t entry() const { return entry_; }

 private:
  const SketchSegment* segment_;
  const std::vector<uint32_t>* new_rows_;
  PackedCursor cursor_;
  uint64_t entry_ = 0;
};

Result<std::unique_ptr<MergedSketches>> MergedSketches::Create(std::vector<SketchInput> inputs,
                                                               ProgressSink& progress,
                                                               const Cancellation& cancellation) {
  std::unique_ptr<MergedSketches> rows(
      new MergedSketches(std::move(inputs), progress, cancellation));
  ZHIWEN_RETURN_IF_ERROR(rows->NumberRows());
  ZHIWEN_RETURN_IF_ERROR(rows->CountEntries());
  return rows;
}

Status MergedSketches::Step() const {
  constexpr uint64_t kSteps = uint64_t{1} << 16;
  if (++step_ % kSteps != 0) return {};
  progress_.Advance(Stage::kMergeEntries, std::min(step_, steps_), steps_);
  return cancellation_.Check();
}

Status MergedSketches::NumberRows() {
  NextQueue queue;
  std::vector<DocumentCursor> cursors;
  for (const SketchInput& input : inputs_) {
    new_rows_.emplace_back(input.segment->rows(), kNoRow);
    // The steps number the rows, and write documents, bits and bands.
    steps_ += input.segment->rows() * (3 + uint64_t{form().bands});
    cursors.emplace_back(input);
  }
  const auto advance = [&](uint32_t input) -> Status {
    ZHIWEN_ASSIGN_OR_RETURN(const bool is_there, cursors[input].Next());
    if (is_there) queue.emplace(cursors[input].document(), input);
    return {};
  };
  for (uint32_t input = 0; input < inputs_.size(); ++input) ZHIWEN_RETURN_IF_ERROR(advance(input));
  uint64_t before = 0;
  while (!queue.empty()) {
    ZHIWEN_RETURN_IF_ERROR(Step());
    const auto [document, input] = queue.top();
    queue.pop();
    if (!input_of_.empty() && document == before) {
      return Fail(ErrorCode::kUnreadable,
                  fmt::format("cannot merge \"{}\": document {} is in another segment, too; "
                              "restore the index from a copy",
                              inputs_[input].segment->path(), document));
    }
    before = document;
    new_rows_[input][cursors[input].row()] = static_cast<uint32_t>(input_of_.size());
    input_of_.push_back(static_cast<uint16_t>(input));
    ZHIWEN_RETURN_IF_ERROR(advance(input));
  }
  return {};
}

Status MergedSketches::CountEntries() {
  entries_.resize(form().bands);
  for (uint32_t band = 0; band < form().bands; ++band) {
    for (size_t i = 0; i < inputs_.size(); ++i) {
      const SketchSegment& segment = *inputs_[i].segment;
      if (inputs_[i].deleted->count() == 0) {
        entries_[band] += segment.band(band).size();
        continue;
      }
      BandCursor cursor(segment, band, new_rows_[i]);
      for (;;) {
        ZHIWEN_ASSIGN_OR_RETURN(const bool is_there, cursor.Next());
        if (!is_there) break;
        ++entries_[band];
      }
      ZHIWEN_RETURN_IF_ERROR(cancellation_.Check());
    }
  }
  return {};
}

template <typename Visit>
Status MergedSketches::VisitLive(const Visit& visit) const {
  std::vector<uint32_t> rows(inputs_.size());
  for (const uint16_t input : input_of_) {
    ZHIWEN_RETURN_IF_ERROR(Step());
    uint32_t& row = rows[input];
    while (new_rows_[input][row] == kNoRow) ++row;
    ZHIWEN_RETURN_IF_ERROR(visit(*inputs_[input].segment, row));
    ++row;
  }
  return {};
}

Status MergedSketches::VisitDocuments(const VisitDocument& visit) const {
  return VisitLive([&](const SketchSegment& segment, uint32_t row) -> Status {
    ZHIWEN_ASSIGN_OR_RETURN(const uint64_t document, segment.DocumentOf(row));
    return visit(document);
  });
}

Status MergedSketches::VisitAllBits(const VisitBits& visit) const {
  return VisitLive([&](const SketchSegment& segment, uint32_t row) -> Status {
    ZHIWEN_ASSIGN_OR_RETURN(const uint64_t* const bits, segment.BitsOf(row));
    return visit({bits, form().words()});
  });
}

Status MergedSketches::VisitBand(uint32_t band, const VisitEntry& visit) const {
  NextQueue queue;
  std::vector<BandCursor> cursors;
  const auto advance = [&](uint32_t input) -> Status {
    ZHIWEN_ASSIGN_OR_RETURN(const bool is_there, cursors[input].Next());
    if (is_there) queue.emplace(cursors[input].entry(), input);
    return {};
  };
  for (uint32_t input = 0; input < inputs_.size(); ++input) {
    cursors.emplace_back(*inputs_[input].segment, band, new_rows_[input]);
    ZHIWEN_RETURN_IF_ERROR(advance(input));
  }
  while (!queue.empty()) {
    ZHIWEN_RETURN_IF_ERROR(Step());
    const auto [entry, input] = queue.top();
    queue.pop();
    ZHIWEN_RETURN_IF_ERROR(visit(entry));
    ZHIWEN_RETURN_IF_ERROR(advance(input));
  }
  return {};
}

}  // namespace zhiwen
