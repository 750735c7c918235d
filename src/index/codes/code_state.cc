#include "index/codes/code_state.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "index/codes/code_changes.h"
#include "index/codes/code_settings.h"

namespace zhiwen {
namespace {

// A file that the manifest names is there, whatever else is wrong.
tl::unexpected<Error> FailToLoad(const Error& error) {
  if (error.code != ErrorCode::kNotFound) return Fail(error.code, error.message);
  return Fail(ErrorCode::kUnreadable, error.message + "; restore the index from a copy");
}

Result<StateSegment> LoadSegment(const IndexFolder& folder, const ManifestSegment& entry,
                                 const CodeIndexOptions& options) {
  const std::string path = folder.SegmentPath(entry.number);
  ZHIWEN_ASSIGN_OR_RETURN(std::shared_ptr<const CodeSegment> segment,
                          CodeSegment::Open(folder.files(), path));
  if (segment->identity() != entry.identity || segment->rows() != entry.rows ||
      segment->code_bits() != options.code_bits) {
    return Fail(ErrorCode::kUnreadable,
                fmt::format("cannot read \"{}\": it is not the file that the manifest names; "
                            "restore the index from a copy",
                            path));
  }
  StateSegment loaded = {
      .entry = entry, .segment = std::move(segment), .deleted = RowBitmap(entry.rows)};
  if (entry.deleted != 0) {
    ZHIWEN_ASSIGN_OR_RETURN(
        loaded.deleted,
        RowBitmap::Read(folder.files(), folder.DeletedPath(entry.deleted), entry.rows));
  }
  return loaded;
}

}  // namespace

Result<std::unique_ptr<CodeState>> CodeState::Load(const IndexFolder& folder,
                                                   const Manifest& manifest) {
  ZHIWEN_ASSIGN_OR_RETURN(const CodeIndexOptions options,
                          ReadCodeSettings(manifest.settings, folder.folder()));
  auto state = std::make_unique<CodeState>(options);
  for (const ManifestSegment& entry : manifest.segments) {
    auto loaded = LoadSegment(folder, entry, options);
    if (!loaded) return FailToLoad(loaded.error());
    state->segments_.push_back(*std::move(loaded));
  }
  if (manifest.log != 0) {
    const std::string path = folder.LogPath(manifest.log);
    std::set<std::string, std::less<>> labels;
    const auto apply = [&](std::string_view record) -> Status {
      const Status applied = state->ApplyButLabels(record, labels);
      if (applied) return {};
      return Fail(applied.error().code,
                  fmt::format("cannot use \"{}\": {}", path, applied.error().message));
    };
    auto end = ReadLogFile(folder.files(), path, manifest.log, manifest.log_bytes, apply);
    if (!end) return FailToLoad(end.error());
    ZHIWEN_RETURN_IF_ERROR(state->RemoveLabels(labels));
    state->log_end_ = *end;
  }
  state->SetStats(manifest, state->log_end_.bytes);
  return state;
}

void CodeState::SetStats(const Manifest& manifest, uint64_t log_bytes) {
  generation_ = manifest.generation;
  sequence_ = manifest.sequence;
  log_bytes_ = log_bytes;
}

CodeIndexStats CodeState::stats() const {
  const auto lock = Read();
  CodeIndexStats stats = {.segments = {},
                          .generation = generation_,
                          .sequence = sequence_,
                          .log_rows = memory_->rows(),
                          .log_bytes = log_bytes_};
  for (const StateSegment& segment : segments_) {
    const std::string& path = segment.segment->path();
    stats.segments.push_back({.file = path.substr(path.rfind('/') + 1),
                              .codes = segment.segment->codes(),
                              .rows = segment.segment->rows(),
                              .deleted_rows = segment.deleted.count(),
                              .bytes = segment.segment->bytes()});
  }
  return stats;
}

Status CodeState::RemoveRow(StateSegment& segment, uint64_t code, std::string_view label) {
  ZHIWEN_ASSIGN_OR_RETURN(const auto rows, segment.segment->RowsOfCode(code));
  ZHIWEN_ASSIGN_OR_RETURN(const auto row, segment.segment->FindLabel(rows, label));
  if (row.has_value()) segment.is_changed |= segment.deleted.Set(*row);
  return {};
}

Status CodeState::RemoveCode(StateSegment& segment, uint64_t code) {
  ZHIWEN_ASSIGN_OR_RETURN(const auto rows, segment.segment->RowsOfCode(code));
  for (uint32_t row = rows.begin; row < rows.end; ++row) {
    segment.is_changed |= segment.deleted.Set(row);
  }
  return {};
}

Status CodeState::RemoveLabels(StateSegment& segment,
                               const std::set<std::string, std::less<>>& labels) {
  if (!segment.segment->has_labels() && !labels.contains(std::string_view())) return {};
  LabelCursor cursor(*segment.segment);
  for (uint64_t row = 0; row < segment.segment->rows(); ++row) {
    ZHIWEN_ASSIGN_OR_RETURN(const std::string_view label, cursor.Next());
    if (labels.contains(label)) segment.is_changed |= segment.deleted.Set(row);
  }
  return {};
}

Status CodeState::RemoveLabels(const std::set<std::string, std::less<>>& labels) {
  if (labels.empty()) return {};
  for (StateSegment& segment : segments_) {
    ZHIWEN_RETURN_IF_ERROR(RemoveLabels(segment, labels));
  }
  return {};
}

Status CodeState::ApplyButLabels(std::string_view changes,
                                 std::set<std::string, std::less<>>& labels) {
  Status applied;
  const auto from_segments = [&](const auto& remove) {
    for (StateSegment& segment : segments_) {
      if (applied) applied = remove(segment);
    }
  };
  const auto apply = [&](const CodeChange& change) {
    switch (change.action) {
      case CodeAction::kAdd:
        memory_->Add(change.code, change.label);
        break;
      case CodeAction::kRemoveRow:
        memory_->Remove(change.code, change.label);
        from_segments([&](auto& segment) { return RemoveRow(segment, change.code, change.label); });
        break;
      case CodeAction::kRemoveCode:
        memory_->RemoveCode(change.code);
        from_segments([&](auto& segment) { return RemoveCode(segment, change.code); });
        break;
      case CodeAction::kRemoveLabel:
        memory_->RemoveLabel(change.label);
        labels.insert(std::string(change.label));
    }
  };
  ZHIWEN_RETURN_IF_ERROR(VisitChanges(changes, apply));
  return applied;
}

Status CodeState::Apply(std::string_view changes) {
  std::set<std::string, std::less<>> labels;
  ZHIWEN_RETURN_IF_ERROR(ApplyButLabels(changes, labels));
  return RemoveLabels(labels);
}

}  // namespace zhiwen
