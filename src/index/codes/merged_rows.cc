#include "index/codes/merged_rows.h"

#include <algorithm>
#include <utility>

namespace zhiwen {

MergeCursor::MergeCursor(std::span<const MergeInput> inputs, Labels labels)
    : reads_labels_(labels) {
  for (const MergeInput& input : inputs) {
    sources_.push_back({.input = input,
                        .codes = PackedCursor(input.segment->hamming().table(0)),
                        .labels = LabelCursor(*input.segment)});
  }
}

Result<bool> MergeCursor::Next() {
  const uint64_t before = entry_;
  uint64_t least = UINT64_MAX;
  bool is_there = false;
  for (Source& source : sources_) {
    if (source.is_there && (!has_begun_ || source.codes.entry() == before)) {
      ZHIWEN_ASSIGN_OR_RETURN(source.is_there, source.codes.Next());
    }
    if (!source.is_there) continue;
    is_there = true;
    least = std::min(least, source.codes.entry());
  }
  has_begun_ = true;
  if (!is_there) return false;
  entry_ = least;
  is_live_ = false;
  labels_.clear();
  size_t taken = 0;
  for (Source& source : sources_) {
    if (!source.is_there || source.codes.entry() != least) continue;
    ZHIWEN_RETURN_IF_ERROR(Take(source));
    ++taken;
  }
  if (taken > 1) {
    std::ranges::sort(labels_);
    const auto repeated = std::ranges::unique(labels_);
    labels_.erase(repeated.begin(), repeated.end());
  }
  return true;
}

// Takes the rows of the current code from one input.
Status MergeCursor::Take(Source& source) {
  ZHIWEN_ASSIGN_OR_RETURN(const CodeSegment::RowRange rows,
                          source.input.segment->RowsOf(source.codes.number()));
  for (uint32_t row = rows.begin; row < rows.end; ++row) {
    std::string_view label;
    if (reads_labels_ == Labels::kRead) {
      ZHIWEN_ASSIGN_OR_RETURN(label, source.labels.Next());
    }
    if (source.input.deleted->Has(row)) continue;
    is_live_ = true;
    if (reads_labels_ == Labels::kRead) labels_.push_back(label);
  }
  return {};
}

MergedRows::MergedRows(std::vector<MergeInput> inputs, ProgressSink& progress,
                       const Cancellation& cancellation)
    : inputs_(std::move(inputs)), progress_(progress), cancellation_(cancellation) {}

Result<std::unique_ptr<MergedRows>> MergedRows::Create(std::vector<MergeInput> inputs,
                                                       ProgressSink& progress,
                                                       const Cancellation& cancellation) {
  std::unique_ptr<MergedRows> rows(new MergedRows(std::move(inputs), progress, cancellation));
  ZHIWEN_RETURN_IF_ERROR(rows->Count());
  return rows;
}

Status MergedRows::Count() {
  uint64_t entries = 0;
  for (const MergeInput& input : inputs_) {
    has_labels_ |= input.segment->has_labels();
    entries += input.segment->codes();
  }
  // Counting and writing both tables visit the entries; the rows are visited twice.
  steps_ = entries * (has_labels_ ? 5 : 3);
  MergeCursor cursor(inputs_,
                     has_labels_ ? MergeCursor::Labels::kRead : MergeCursor::Labels::kSkip);
  for (;;) {
    ZHIWEN_RETURN_IF_ERROR(Step());
    ZHIWEN_ASSIGN_OR_RETURN(const bool is_there, cursor.Next());
    if (!is_there) break;
    if (cursor.is_live()) {
      ++codes_;
      rows_ += has_labels_ ? cursor.labels().size() : 1;
    } else {
      dropped_.push_back(OtherEntry(cursor.entry()));
    }
  }
  std::ranges::sort(dropped_);
  return {};
}

Status MergedRows::Step() const {
  constexpr uint64_t kSteps = uint64_t{1} << 16;
  if (++step_ % kSteps != 0) return {};
  progress_.Advance(Stage::kMergeCodes, std::min(step_, steps_), steps_);
  return cancellation_.Check();
}

Status MergedRows::VisitLow(const VisitEntry& visit) const {
  MergeCursor cursor(inputs_, MergeCursor::Labels::kSkip);
  for (;;) {
    ZHIWEN_RETURN_IF_ERROR(Step());
    ZHIWEN_ASSIGN_OR_RETURN(const bool is_there, cursor.Next());
    if (!is_there) return {};
    if (cursor.is_live()) ZHIWEN_RETURN_IF_ERROR(visit(cursor.entry()));
  }
}

Status MergedRows::VisitHigh(const VisitEntry& visit) const {
  struct Source {
    PackedCursor cursor;
    bool is_there = true;
  };
  std::vector<Source> sources;
  for (const MergeInput& input : inputs_) {
    sources.push_back({PackedCursor(input.segment->hamming().table(1))});
    ZHIWEN_ASSIGN_OR_RETURN(sources.back().is_there, sources.back().cursor.Next());
  }
  auto dropped = dropped_.begin();
  for (;;) {
    ZHIWEN_RETURN_IF_ERROR(Step());
    uint64_t least = UINT64_MAX;
    bool is_there = false;
    for (const Source& source : sources) {
      if (!source.is_there) continue;
      is_there = true;
      least = std::min(least, source.cursor.entry());
    }
    if (!is_there) return {};
    for (Source& source : sources) {
      if (!source.is_there || source.cursor.entry() != least) continue;
      ZHIWEN_ASSIGN_OR_RETURN(source.is_there, source.cursor.Next());
    }
    while (dropped != dropped_.end() && *dropped < least) ++dropped;
    const bool is_dropped = dropped != dropped_.end() && *dropped == least;
    if (!is_dropped) ZHIWEN_RETURN_IF_ERROR(visit(least));
  }
}

Status MergedRows::VisitRows(const VisitRow& visit) const {
  MergeCursor cursor(inputs_, MergeCursor::Labels::kRead);
  for (;;) {
    ZHIWEN_RETURN_IF_ERROR(Step());
    ZHIWEN_ASSIGN_OR_RETURN(const bool is_there, cursor.Next());
    if (!is_there) return {};
    bool is_first = true;
    for (const std::string_view label : cursor.labels()) {
      ZHIWEN_RETURN_IF_ERROR(visit(is_first, label));
      is_first = false;
    }
  }
}

}  // namespace zhiwen
