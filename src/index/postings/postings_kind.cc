#include "index/postings/postings_kind.h"

#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/coding.h"
#include "index/postings/merged_postings.h"
#include "index/postings/postings_changes.h"
#include "index/postings/postings_state.h"

namespace zhiwen {

Status PostingsChanger::Apply(std::string_view record) {
  return VisitChanges(record, [&](const PostingsChange& change) -> Status {
    const bool is_addition = change.action != PostingsAction::kRemove;
    if (is_addition && change.action != AdditionOf(memory_.content())) {
      return Fail(ErrorCode::kUnreadable, "a record of the log is of an index of other content");
    }
    memory_.Remove(change.document);
    for (Segment& segment : segments_) {
      ZHIWEN_ASSIGN_OR_RETURN(const auto row, segment.segment->RowOf(change.document));
      if (row.has_value()) segment.is_changed |= segment.deleted.Set(*row);
    }
    if (is_addition) memory_.Insert(change.document, change.features);
    return {};
  });
}

Status PostingsIndexKind::CheckRecord(std::string_view record) {
  return VisitChanges(record, [](const PostingsChange& /*change*/) { return Status(); });
}

std::string PostingsIndexKind::WriteSettings(const Settings& settings) {
  std::string bytes;
  AppendFixed32(bytes, (settings.content == PostingsContent::kPositions ? 1 : 0) |
                           (settings.keys == FeatureKeys::kShort ? 2 : 0));
  return bytes;
}

Result<PostingsIndexOptions> PostingsIndexKind::ReadSettings(std::string_view settings,
                                                             const std::string& folder) {
  Decoder decoder(settings);
  const auto bits = decoder.Fixed32();
  if (bits && decoder.rest().empty() && *bits <= 3) {
    return PostingsIndexOptions{
        .content = (*bits & 1) != 0 ? PostingsContent::kPositions : PostingsContent::kDocuments,
        .keys = (*bits & 2) != 0 ? FeatureKeys::kShort : FeatureKeys::kWhole};
  }
  return Fail(ErrorCode::kUnreadable,
              fmt::format("cannot open the index \"{}\": its manifest has settings that cannot be",
                          folder));
}

Result<std::unique_ptr<SegmentPostings>> PostingsIndexKind::Merge(
    std::span<const StateSegment<PostingsSegment>> segments, ProgressSink& progress,
    const Cancellation& cancellation) {
  std::vector<PostingsMergeInput> inputs;
  inputs.reserve(segments.size());
  for (const auto& input : segments) inputs.push_back({input.segment.get(), &input.deleted});
  return MergedPostings::Create(std::move(inputs), progress, cancellation);
}

Status PostingsIndexKind::CheckState(const PostingsState& state, ProgressSink& progress,
                                     const Cancellation& cancellation) {
  if (state.segments().empty()) return {};
  const auto merged = Merge(state.segments(), progress, cancellation);
  return merged ? Status() : tl::unexpected(merged.error());
}

Result<std::optional<uint32_t>> PostingsIndexKind::FindRow(const PostingsSegment& segment,
                                                           uint32_t row,
                                                           const PostingsSegment& merged) {
  ZHIWEN_ASSIGN_OR_RETURN(const uint32_t document, segment.DocumentOf(row));
  return merged.RowOf(document);
}

}  // namespace zhiwen
