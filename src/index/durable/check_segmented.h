#ifndef ZHIWEN_INDEX_DURABLE_CHECK_SEGMENTED_H_
#define ZHIWEN_INDEX_DURABLE_CHECK_SEGMENTED_H_

// Reads every byte of an index of some kind (index_kind.h), and compares its parts with each other.

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "index/durable/index_kind.h"
#include "index/durable/segmented_state.h"
#include "index/durable/steady_manifest.h"
#include "zhiwen/environment.h"
#include "zhiwen/file_system.h"
#include "zhiwen/result.h"

namespace zhiwen {

// Records problems, and continues after each.
template <IndexKind Kind>
class SegmentedCheck {
 public:
  SegmentedCheck(const IndexFolder& folder, ProgressSink& progress,
                 const Cancellation& cancellation)
      : folder_(folder), progress_(progress), cancellation_(cancellation) {}

  // Fails when the state of the index cannot be determined: another version, no memory.
  Status Run(const Manifest& manifest) {
    const auto settings = Kind::ReadSettings(manifest.settings, folder_.folder());
    if (!settings) ZHIWEN_RETURN_IF_ERROR(Note(settings.error()));
    ZHIWEN_RETURN_IF_ERROR(OpenParts(manifest));
    ZHIWEN_RETURN_IF_ERROR(CheckSegments());
    // If each part is sound by itself, the parts must be consistent.
    if (!found_.problems.empty()) return {};
    const auto state = SegmentedState<Kind>::Load(folder_, manifest);
    if (!state) ZHIWEN_RETURN_IF_ERROR(Note(state.error()));
    if (state) {
      found_.stats = (*state)->stats();
      const Status checked = Kind::CheckState(**state, progress_, cancellation_);
      if (!checked) ZHIWEN_RETURN_IF_ERROR(Note(checked.error()));
    }
    // With a writer at work, leftovers are files that it is making.
    if (folder_.IsLocked()) return {};
    ZHIWEN_ASSIGN_OR_RETURN(found_.leftovers, folder_.Leftovers(manifest));
    return {};
  }

  typename Kind::Check& found() { return found_; }

 private:
  Status Note(const Error& error) {
    if (error.code != ErrorCode::kUnreadable && error.code != ErrorCode::kNotFound) {
      return tl::unexpected(error);
    }
    found_.problems.push_back(error.message);
    return {};
  }

  // Opens the segments first: open files remain readable, whatever another process removes.
  Status OpenParts(const Manifest& manifest) {
    for (const ManifestSegment& entry : manifest.segments) {
      auto segment = Kind::Segment::Open(folder_.files(), folder_.SegmentPath(entry.number));
      if (segment) {
        segments_.push_back(*std::move(segment));
      } else {
        ZHIWEN_RETURN_IF_ERROR(Note(segment.error()));
      }
      if (entry.deleted == 0) continue;
      const auto deleted = RowBitmap::Read(folder_.files(), folder_.DeletedPath(entry.deleted),
                                           entry.deleted, entry.rows);
      if (!deleted) ZHIWEN_RETURN_IF_ERROR(Note(deleted.error()));
    }
    if (manifest.log == 0) return {};
    const auto end = ReadLogFile(folder_.files(), folder_.LogPath(manifest.log), manifest.log,
                                 manifest.log_bytes, Kind::CheckRecord);
    return end ? Status() : Note(end.error());
  }

  Status CheckSegments() {
    uint64_t done = 0, total = 0;
    for (const auto& segment : segments_) total += segment->rows();
    for (const auto& segment : segments_) {
      const Status checked = segment->CheckAll(cancellation_);
      ZHIWEN_RETURN_IF_ERROR(cancellation_.Check());
      if (!checked) ZHIWEN_RETURN_IF_ERROR(Note(checked.error()));
      done += segment->rows();
      progress_.Advance(Stage::kCheckRows, done, total);
    }
    return {};
  }

  const IndexFolder& folder_;
  ProgressSink& progress_;
  const Cancellation& cancellation_;
  std::vector<std::unique_ptr<typename Kind::Segment>> segments_;
  typename Kind::Check found_;
};

// Fails: kNotFound when there is no index, kConflict for another version, and as `cancellation`
// says. Damage is reported as a problem, and is not a failure.
template <IndexKind Kind>
Result<typename Kind::Check> CheckSegmented(FileSystem& files, const std::string& folder,
                                            ProgressSink& progress,
                                            const Cancellation& cancellation) {
  const IndexFolder index(files, folder, Kind::kName);
  // The problems, provided that no other process changes the index meanwhile.
  typename Kind::Check damaged;
  const auto check = [&](const Manifest& manifest) -> Result<typename Kind::Check> {
    SegmentedCheck<Kind> run(index, progress, cancellation);
    ZHIWEN_RETURN_IF_ERROR(run.Run(manifest));
    if (run.found().problems.empty()) return std::move(run.found());
    damaged = std::move(run.found());
    return Fail(ErrorCode::kUnreadable, damaged.problems.front());
  };
  auto checked = WithSteadyManifest(index, check);
  if (checked || checked.error().code != ErrorCode::kUnreadable) return checked;
  if (damaged.problems.empty()) damaged.problems.push_back(checked.error().message);
  return damaged;
}

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_DURABLE_CHECK_SEGMENTED_H_
