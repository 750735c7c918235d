#ifndef ZHIWEN_INDEX_DURABLE_SEGMENTED_STATE_H_
#define ZHIWEN_INDEX_DURABLE_SEGMENTED_STATE_H_

// One state of an index of some kind (index_kind.h): segments, the deleted rows of each, and the
// rows that are in no segment. All changes of the rows in memory are later than all segments.
//
// Threads     const functions of a state from many threads that hold Read(), while one changes it
//             through ChangeAlone; any other change must be alone

#include <concepts>
#include <cstdint>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "index/durable/index_folder.h"
#include "index/durable/index_kind.h"
#include "index/durable/log_file.h"
#include "index/durable/row_bitmap.h"
#include "zhiwen/file_system.h"
#include "zhiwen/result.h"

namespace zhiwen {

template <IndexKind Kind>
class SegmentedState {
 public:
  using Settings = typename Kind::Settings;
  using Memory = typename Kind::Memory;
  using Segments = std::vector<StateSegment<typename Kind::Segment>>;

  explicit SegmentedState(const Settings& settings)
      : settings_(settings), memory_(std::make_unique<Memory>(settings)) {}

  // Reads the state that `manifest` names. Fails: kUnreadable, naming a file; kConflict for a file
  // of another version.
  static Result<std::unique_ptr<typename Kind::State>> Load(const IndexFolder& folder,
                                                            const Manifest& manifest);

  // Applies the changes of a record. Fails as Kind::Changer does.
  Status Apply(std::string_view record) {
    typename Kind::Changer changer(*memory_, segments_);
    ZHIWEN_RETURN_IF_ERROR(changer.Apply(record));
    return changer.Finish();
  }

  const Settings& settings() const { return settings_; }
  const Segments& segments() const { return segments_; }
  const Memory& memory() const { return *memory_; }
  const LogEnd& log_end() const { return log_end_; }

  // Runs `change()` while nobody reads. If it throws, nobody can read afterwards.
  template <typename Change>
  void ChangeAlone(const Change& change) {
    // New readers wait here, so that the number of active ones falls.
    const std::scoped_lock turn(turn_);
    const std::scoped_lock lock(mutex_);
    is_whole_ = false;
    change();
    is_whole_ = true;
  }
  // To be called within ChangeAlone: set the segments, by number, or clear the memory.
  void SetSegments(Segments segments) { segments_ = std::move(segments); }
  void ClearMemory() { memory_ = std::make_unique<Memory>(settings_); }
  void SetStats(const Manifest& manifest, uint64_t log_bytes) {
    generation_ = manifest.generation;
    sequence_ = manifest.sequence;
    log_bytes_ = log_bytes;
  }

 protected:
  ~SegmentedState() = default;

  using ReadLock = std::shared_lock<std::shared_mutex>;
  ReadLock Read() const {
    { const std::scoped_lock turn(turn_); }
    return ReadLock(mutex_);
  }
  // Takes the read lock for callers that report the content of the index. Fails: kExhausted after a
  // change in which memory ran out.
  Result<ReadLock> ReadWhole() const {
    ReadLock lock = Read();
    if (is_whole_) return lock;
    return Fail(ErrorCode::kExhausted, "memory ran out in a change; open the index again");
  }

  // The caller must hold Read().
  uint64_t generation() const { return generation_; }
  uint64_t sequence() const { return sequence_; }
  uint64_t log_bytes() const { return log_bytes_; }

 private:
  Status LoadSegment(const IndexFolder& folder, const ManifestSegment& entry);
  Status LoadLog(const IndexFolder& folder, const Manifest& manifest);

  const Settings settings_;
  mutable std::mutex turn_;  // taken before mutex_
  mutable std::shared_mutex mutex_;
  Segments segments_;
  std::unique_ptr<Memory> memory_;
  bool is_whole_ = true;
  LogEnd log_end_;  // the end that Load found
  uint64_t generation_ = 0, sequence_ = 0, log_bytes_ = 0;
};

// A file that the manifest names must exist, so kNotFound becomes another error.
inline tl::unexpected<Error> FailedToLoad(const Error& error) {
  if (error.code != ErrorCode::kNotFound) return tl::unexpected(error);
  return Fail(ErrorCode::kUnreadable, error.message + "; restore the index from a copy");
}

template <IndexKind Kind>
Result<std::unique_ptr<typename Kind::State>> SegmentedState<Kind>::Load(const IndexFolder& folder,
                                                                         const Manifest& manifest) {
  static_assert(std::derived_from<typename Kind::State, SegmentedState>);
  ZHIWEN_ASSIGN_OR_RETURN(const Settings settings,
                          Kind::ReadSettings(manifest.settings, folder.folder()));
  auto derived = std::make_unique<typename Kind::State>(settings);
  SegmentedState& state = *derived;
  for (const ManifestSegment& entry : manifest.segments) {
    const Status loaded = state.LoadSegment(folder, entry);
    if (!loaded) return FailedToLoad(loaded.error());
  }
  if (manifest.log != 0) ZHIWEN_RETURN_IF_ERROR(state.LoadLog(folder, manifest));
  state.SetStats(manifest, state.log_end_.bytes);
  return derived;
}

template <IndexKind Kind>
Status SegmentedState<Kind>::LoadSegment(const IndexFolder& folder, const ManifestSegment& entry) {
  using Segment = typename Kind::Segment;
  const std::string path = folder.SegmentPath(entry.number);
  ZHIWEN_ASSIGN_OR_RETURN(std::shared_ptr<const Segment> segment,
                          Segment::Open(folder.files(), path));
  if (segment->identity() != entry.identity || segment->rows() != entry.rows ||
      !Kind::Fits(*segment, settings_)) {
    return Fail(ErrorCode::kUnreadable,
                fmt::format("cannot read \"{}\": it is not the file that the manifest names; "
                            "restore the index from a copy",
                            path));
  }
  RowBitmap deleted(entry.rows);
  if (entry.deleted != 0) {
    ZHIWEN_ASSIGN_OR_RETURN(
        deleted, RowBitmap::Read(folder.files(), folder.DeletedPath(entry.deleted), entry.deleted,
                                 entry.rows));
  }
  segments_.push_back(
      {.entry = entry, .segment = std::move(segment), .deleted = std::move(deleted)});
  return {};
}

template <IndexKind Kind>
Status SegmentedState<Kind>::LoadLog(const IndexFolder& folder, const Manifest& manifest) {
  const std::string path = folder.LogPath(manifest.log);
  typename Kind::Changer changer(*memory_, segments_);
  const auto apply = [&](std::string_view record) -> Status {
    const Status applied = changer.Apply(record);
    if (applied) return {};
    return Fail(applied.error().code,
                fmt::format("cannot use \"{}\": {}", path, applied.error().message));
  };
  const auto end = ReadLogFile(folder.files(), path, manifest.log, manifest.log_bytes, apply);
  if (!end) return FailedToLoad(end.error());
  ZHIWEN_RETURN_IF_ERROR(changer.Finish());
  log_end_ = *end;
  return {};
}

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_DURABLE_SEGMENTED_STATE_H_
