#include "index/codes/codes_kind.h"

#include <utility>

#include "index/codes/code_changes.h"
#include "index/codes/code_settings.h"
#include "index/codes/merged_rows.h"
#include "index/codes/sorted_rows.h"

namespace zhiwen {

Status CodeChanger::RemoveRow(Segment& segment, uint64_t code, std::string_view label) {
  ZHIWEN_ASSIGN_OR_RETURN(const auto rows, segment.segment->RowsOfCode(code));
  ZHIWEN_ASSIGN_OR_RETURN(const auto row, segment.segment->FindLabel(rows, label));
  if (row.has_value()) segment.is_changed |= segment.deleted.Set(*row);
  return {};
}

Status CodeChanger::RemoveCode(Segment& segment, uint64_t code) {
  ZHIWEN_ASSIGN_OR_RETURN(const auto rows, segment.segment->RowsOfCode(code));
  for (uint32_t row = rows.begin; row < rows.end; ++row) {
    segment.is_changed |= segment.deleted.Set(row);
  }
  return {};
}

Status CodeChanger::RemoveLabels(Segment& segment) const {
  if (!segment.segment->has_labels() && !labels_.contains(std::string_view())) return {};
  LabelCursor cursor(*segment.segment);
  for (uint64_t row = 0; row < segment.segment->rows(); ++row) {
    ZHIWEN_ASSIGN_OR_RETURN(const std::string_view label, cursor.Next());
    if (labels_.contains(label)) segment.is_changed |= segment.deleted.Set(row);
  }
  return {};
}

Status CodeChanger::Apply(std::string_view record) {
  Status applied;
  const auto from_segments = [&](const auto& remove) {
    for (Segment& segment : segments_) {
      if (applied) applied = remove(segment);
    }
  };
  const auto apply = [&](const CodeChange& change) {
    switch (change.action) {
      case CodeAction::kAdd:
        memory_.Add(change.code, change.label);
        break;
      case CodeAction::kRemoveRow:
        memory_.Remove(change.code, change.label);
        from_segments([&](auto& segment) { return RemoveRow(segment, change.code, change.label); });
        break;
      case CodeAction::kRemoveCode:
        memory_.RemoveCode(change.code);
        from_segments([&](auto& segment) { return RemoveCode(segment, change.code); });
        break;
      case CodeAction::kRemoveLabel:
        memory_.RemoveLabel(change.label);
        labels_.insert(std::string(change.label));
    }
  };
  ZHIWEN_RETURN_IF_ERROR(VisitChanges(record, apply));
  return applied;
}

Status CodeChanger::Finish() {
  if (labels_.empty()) return {};
  for (Segment& segment : segments_) ZHIWEN_RETURN_IF_ERROR(RemoveLabels(segment));
  labels_.clear();
  return {};
}

Status CodesKind::CheckRecord(std::string_view record) {
  return VisitChanges(record, [](const CodeChange& /*change*/) {});
}

Result<CodeIndexOptions> CodesKind::ReadSettings(std::string_view settings,
                                                 const std::string& folder) {
  return ReadCodeSettings(settings, folder);
}

Result<std::unique_ptr<SegmentRows>> CodesKind::Merge(
    std::span<const StateSegment<CodeSegment>> segments, ProgressSink& progress,
    const Cancellation& cancellation) {
  std::vector<MergeInput> inputs;
  inputs.reserve(segments.size());
  for (const auto& input : segments) inputs.push_back({input.segment.get(), &input.deleted});
  return MergedRows::Create(std::move(inputs), progress, cancellation);
}

Result<std::optional<uint32_t>> CodesKind::FindRow(const CodeSegment& segment, uint32_t row,
                                                   const CodeSegment& merged) {
  ZHIWEN_ASSIGN_OR_RETURN(const uint64_t code, segment.CodeOf(row));
  ZHIWEN_ASSIGN_OR_RETURN(const std::string_view label, segment.LabelOf(row));
  ZHIWEN_ASSIGN_OR_RETURN(const auto rows, merged.RowsOfCode(code));
  return merged.FindLabel(rows, label);
}

Result<std::unique_ptr<SegmentRows>> CodesKind::RowsOf(std::string_view record,
                                                       const Settings& settings) {
  std::vector<CodeRow> rows;
  ZHIWEN_RETURN_IF_ERROR(VisitChanges(record, [&](const CodeChange& change) {
    rows.push_back({change.code, change.label});
  }));
  return std::make_unique<SortedRows>(std::move(rows), settings.code_bits);
}

}  // namespace zhiwen
