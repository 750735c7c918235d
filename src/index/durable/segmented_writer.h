#ifndef ZHIWEN_INDEX_DURABLE_SEGMENTED_WRITER_H_
#define ZHIWEN_INDEX_DURABLE_SEGMENTED_WRITER_H_

// The only class that changes the folder of an index. Records of changes go to a log, synced, and
// to rows in memory. When the log is long, these rows become a segment. Any thread with time for it
// merges segments. A kind of index (index_kind.h) defines what rows are.
//
// Guarantees  changes for which Commit returned survive a crash, by whole records
// Cost        see zhiwen/code_index.h, CodeIndexWriter
// Threads     any, except Load and Close, which must be alone
// Fails       Load: as the state, and kConflict when another writer has the folder open; others: as
//             the disk does. When it is then unknown what is on the disk, every further change
//             fails until the index is opened again
// Persisted   docs/formats/index_folder.md

#include <algorithm>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "index/durable/commit_queue.h"
#include "index/durable/index_folder.h"
#include "index/durable/index_kind.h"
#include "index/durable/log_file.h"
#include "index/durable/merge_choice.h"
#include "index/durable/segmented_state.h"
#include "index/durable/synced_file.h"
#include "zhiwen/durability.h"
#include "zhiwen/environment.h"
#include "zhiwen/file_system.h"
#include "zhiwen/result.h"

namespace zhiwen {

struct SegmentedWriterOptions {
  Durability durability = Durability::kOwnLog;
  uint64_t log_bytes = uint64_t{4} << 20;   // a log of this size becomes a segment
  uint64_t most_log_bytes = kMostLogBytes;  // bound on the log when no segment can be made
};

template <IndexKind Kind>
class SegmentedWriter {
 public:
  using State = typename Kind::State;

  SegmentedWriter(FileSystem& files, const std::string& folder,
                  const SegmentedWriterOptions& options)
      : folder_(files, folder, Kind::kName), options_(options) {
    options_.log_bytes = std::min(options_.log_bytes, kMostRecordBytes);
  }

  // Must be called first.
  Status Load();

  // Returns the state of the last commit, at any time. It lives as long as the writer.
  const State& state() const { return *state_; }
  // Calls prepare(state) while no change is made. Fails as that, and where changes fail.
  template <typename Prepare>
  Status PrepareState(const Prepare& prepare) {
    const std::scoped_lock lock(write_mutex_);
    ZHIWEN_RETURN_IF_ERROR(CheckUsable());
    return prepare(*state_);
  }

  // Returns once the changes of a record are on the disk; with kReplayedByOwner, once they are in
  // memory. Fails: kInvalidArgument, with nothing changed, for more than kMostRecordBytes.
  Status Commit(const QueuedCommit& commit);
  // Makes a segment of the rows in memory, and notes `sequence`.
  Status Flush(uint64_t sequence);
  // Merges some segments of similar size, or rewrites a segment with many deleted rows. Returns
  // false when there is nothing to do.
  Result<bool> MergeOnce(ProgressSink& progress, const Cancellation& cancellation) {
    return RunMerge(ChooseMerge, progress, cancellation);
  }
  // Merges all segments into one, as far as they fit.
  Status MergeAll(ProgressSink& progress, const Cancellation& cancellation);
  // Notes that the whole log is sound.
  Status Close();

 private:
  using Segment = StateSegment<typename Kind::Segment>;
  using Rows = typename Kind::Rows;
  using Choose = std::vector<size_t> (*)(std::span<const MergeCandidate>);

  // A change of the folder that is not published yet.
  struct Change {
    Manifest manifest;
    std::vector<Segment> segments;
    std::vector<std::string> made, replaced;  // files
    std::unique_ptr<LogFile> log;
  };
  // The inputs of a merge, as they were at its beginning.
  struct Merge {
    std::vector<Segment> inputs;
    uint64_t number = 0;  // number of the new segment
  };

  bool has_own_log() const { return options_.durability == Durability::kOwnLog; }
  Status CheckUsable() const;
  Status Break(const Error& error);
  // Sets broken_ until the change is complete, because the writer cannot continue if memory runs
  // out in between.
  void AssumeBroken() { broken_ = {ErrorCode::kExhausted, "out of memory in a change"}; }

  Change StartChange() const;
  Result<Segment> WriteSegment(uint64_t number, const Rows& rows) const;
  Result<Segment> OpenWritten(const ManifestSegment& entry) const;
  Status AddSegment(const Rows& rows, Change& change);
  Status WriteDeleted(Segment& segment, Change& change);
  Status RotateLog(Change& change);
  // Makes `change` the state. The memory is cleared when its rows are in a segment.
  enum class Memory : uint8_t { kKeep, kClear };
  Status Publish(Change& change, Memory memory);
  Status PublishOrRemove(Status made, Change& change, Memory memory);

  Status CommitGroup(std::span<const QueuedCommit> group);
  Status CommitDirect(std::string_view record);
  Status MakeRoomInLog(std::span<const QueuedCommit> group);
  Status CommitToLog(std::span<const QueuedCommit> group);
  Status FlushAlone(uint64_t sequence);
  Status MakeFlush(uint64_t sequence, Change& change);

  Status KeepDurable(Segment& segment) const;
  Result<Merge> StartMerge(Choose choose);
  Result<bool> RunMerge(Choose choose, ProgressSink& progress, const Cancellation& cancellation);
  Status FinishMerge(const Merge& merge, std::optional<Segment> output);
  Status MakeMerged(const Merge& merge, std::optional<Segment> output, Change& change);
  static Status DeleteSince(const Segment& before, const Segment& now, Segment& output);

  const IndexFolder folder_;
  SegmentedWriterOptions options_;
  std::unique_ptr<FileLock> lock_;
  std::unique_ptr<State> state_;
  CommitQueue queue_;
  std::mutex merge_mutex_;  // held by the merging thread; taken before write_mutex_
  // Guards the following members and the state against other changes.
  std::mutex write_mutex_;
  Manifest manifest_;
  std::unique_ptr<LogFile> log_;
  uint64_t next_number_ = 1;  // number of the next file
  std::optional<Error> broken_;
};

// Implements the contract of a writer for a kind, except Commit.
template <IndexKind Kind, typename Contract>
class WriterOf : public Contract {
 public:
  WriterOf(FileSystem& files, const std::string& folder, const SegmentedWriterOptions& options)
      : writer_(files, folder, options) {}

  Status Load() { return writer_.Load(); }

  const typename Kind::State& index() const override { return writer_.state(); }
  Status Flush(uint64_t sequence) override { return writer_.Flush(sequence); }
  Result<bool> MergeOnce(ProgressSink& progress, const Cancellation& cancellation) override {
    return writer_.MergeOnce(progress, cancellation);
  }
  Status MergeAll(ProgressSink& progress, const Cancellation& cancellation) override {
    return writer_.MergeAll(progress, cancellation);
  }
  Status Close() override { return writer_.Close(); }

 protected:
  SegmentedWriter<Kind>& writer() { return writer_; }

 private:
  SegmentedWriter<Kind> writer_;
};

template <IndexKind Kind>
Status SegmentedWriter<Kind>::Load() {
  ZHIWEN_RETURN_IF_ERROR(folder_.Read());  // something must exist that can be locked
  ZHIWEN_ASSIGN_OR_RETURN(lock_, folder_.Lock());
  ZHIWEN_ASSIGN_OR_RETURN(manifest_, folder_.Read());
  ZHIWEN_ASSIGN_OR_RETURN(state_, SegmentedState<Kind>::Load(folder_, manifest_));
  folder_.RemoveLeftovers(manifest_);
  next_number_ = manifest_.next_number;
  if (has_own_log() && manifest_.log != 0) {
    ZHIWEN_ASSIGN_OR_RETURN(log_, LogFile::Continue(folder_.files(), folder_.LogPath(manifest_.log),
                                                    state_->log_end()));
    return {};
  }
  if (!has_own_log() && manifest_.log == 0) return {};
  // The log was written by another owner.
  Change change = StartChange();
  return PublishOrRemove(MakeFlush(manifest_.sequence, change), change, Memory::kClear);
}

template <IndexKind Kind>
Status SegmentedWriter<Kind>::CheckUsable() const {
  if (!broken_.has_value()) return {};
  return Fail(broken_->code,
              fmt::format("an earlier change failed: {}; open the index again", broken_->message));
}

// Marks the writer as broken: it is unknown what is on the disk until the index is opened again.
template <IndexKind Kind>
Status SegmentedWriter<Kind>::Break(const Error& error) {
  broken_ = error;
  return tl::unexpected(error);
}

template <IndexKind Kind>
auto SegmentedWriter<Kind>::StartChange() const -> Change {
  return {.manifest = manifest_,
          .segments = state_->segments(),
          .made = {},
          .replaced = {},
          .log = nullptr};
}

template <IndexKind Kind>
auto SegmentedWriter<Kind>::WriteSegment(uint64_t number, const Rows& rows) const
    -> Result<Segment> {
  const std::string path = folder_.SegmentPath(number);
  const auto write = [&](const SectionSink& take) { return Kind::Write(rows, take); };
  ZHIWEN_ASSIGN_OR_RETURN(const uint64_t identity, WriteSyncedFile(folder_.files(), path, write));
  Result<Segment> written =
      OpenWritten({.number = number, .rows = rows.rows(), .identity = identity, .deleted = 0});
  if (!written) (void)folder_.files().RemoveAll(path);
  return written;
}

template <IndexKind Kind>
auto SegmentedWriter<Kind>::OpenWritten(const ManifestSegment& entry) const -> Result<Segment> {
  const std::string path = folder_.SegmentPath(entry.number);
  ZHIWEN_ASSIGN_OR_RETURN(std::shared_ptr<const typename Kind::Segment> segment,
                          Kind::Segment::Open(folder_.files(), path));
  if (segment->identity() != entry.identity) {
    return Fail(ErrorCode::kUnreadable,
                fmt::format("cannot write \"{}\": it does not read back as it was written", path));
  }
  return Segment{.entry = entry, .segment = std::move(segment), .deleted = RowBitmap(entry.rows)};
}

template <IndexKind Kind>
Status SegmentedWriter<Kind>::AddSegment(const Rows& rows, Change& change) {
  const uint64_t number = next_number_++;
  change.made.push_back(folder_.SegmentPath(number));
  ZHIWEN_ASSIGN_OR_RETURN(Segment segment, WriteSegment(number, rows));
  change.segments.push_back(std::move(segment));
  return {};
}

template <IndexKind Kind>
Status SegmentedWriter<Kind>::WriteDeleted(Segment& segment, Change& change) {
  if (!segment.is_changed) return {};
  const uint64_t number = next_number_++;
  change.made.push_back(folder_.DeletedPath(number));
  ZHIWEN_RETURN_IF_ERROR(segment.deleted.Write(folder_.files(), change.made.back(), number));
  if (segment.entry.deleted != 0) {
    change.replaced.push_back(folder_.DeletedPath(segment.entry.deleted));
  }
  segment.entry.deleted = number;
  segment.is_changed = false;
  return {};
}

template <IndexKind Kind>
Status SegmentedWriter<Kind>::RotateLog(Change& change) {
  if (manifest_.log != 0) change.replaced.push_back(folder_.LogPath(manifest_.log));
  change.manifest.log = change.manifest.log_bytes = 0;
  if (!has_own_log()) return {};
  const uint64_t number = next_number_++;
  change.made.push_back(folder_.LogPath(number));
  ZHIWEN_ASSIGN_OR_RETURN(change.log, LogFile::Create(folder_.files(), change.made.back(), number));
  change.manifest.log = number;
  return {};
}

template <IndexKind Kind>
Status SegmentedWriter<Kind>::Publish(Change& change, Memory memory) {
  std::ranges::sort(change.segments, {},
                    [](const Segment& segment) { return segment.entry.number; });
  change.manifest.segments.clear();
  for (const Segment& segment : change.segments) {
    change.manifest.segments.push_back(segment.entry);
  }
  change.manifest.next_number = next_number_;
  AssumeBroken();
  bool is_open = false;
  Status published = folder_.Publish(change.manifest, &is_open);
  if (!published && is_open) return Break(published.error());
  if (!published) {
    broken_.reset();
    return published;
  }
  manifest_ = std::move(change.manifest);
  if (change.log != nullptr || manifest_.log == 0) log_ = std::move(change.log);
  state_->ChangeAlone([&] {
    state_->SetSegments(std::move(change.segments));
    if (memory == Memory::kClear) state_->ClearMemory();
    state_->SetStats(manifest_, log_ == nullptr ? 0 : log_->end().bytes);
  });
  broken_.reset();
  for (const std::string& path : change.replaced) (void)folder_.files().RemoveFile(path);
  return {};
}

// Publishes a change, or removes the files made for it when it failed.
template <IndexKind Kind>
Status SegmentedWriter<Kind>::PublishOrRemove(Status made, Change& change, Memory memory) {
  if (made) made = Publish(change, memory);
  if (!made && !broken_.has_value()) {
    for (const std::string& path : change.made) (void)folder_.files().RemoveAll(path);
  }
  return made;
}

template <IndexKind Kind>
Status SegmentedWriter<Kind>::Commit(const QueuedCommit& commit) {
  if (commit.record.size() > kMostRecordBytes) {
    return Fail(
        ErrorCode::kInvalidArgument,
        fmt::format("a commit has more than {} bytes; commit smaller batches", kMostRecordBytes));
  }
  if (commit.record.empty()) return {};
  return queue_.Commit(commit, options_.log_bytes, [this](std::span<const QueuedCommit> group) {
    const std::scoped_lock lock(write_mutex_);
    return CommitGroup(group);
  });
}

template <IndexKind Kind>
Status SegmentedWriter<Kind>::CommitGroup(std::span<const QueuedCommit> group) {
  ZHIWEN_RETURN_IF_ERROR(CheckUsable());
  if constexpr (Kind::kCommitsDirectly) {
    if (group.size() == 1 && group[0].is_direct && has_own_log()) {
      return CommitDirect(group[0].record);
    }
  }
  ZHIWEN_RETURN_IF_ERROR(MakeRoomInLog(group));
  ZHIWEN_RETURN_IF_ERROR(CommitToLog(group));
  if (log_ != nullptr && log_->end().bytes >= options_.log_bytes) {
    // The changes are safe already. A failed flush is repeated with the next commit.
    (void)FlushAlone(manifest_.sequence);
  }
  return {};
}

// While no segment can be made the log grows, but not beyond the size that is read again.
template <IndexKind Kind>
Status SegmentedWriter<Kind>::MakeRoomInLog(std::span<const QueuedCommit> group) {
  if (log_ == nullptr) return {};
  uint64_t bytes = log_->end().bytes + kRecordHeadBytes;
  for (const QueuedCommit& commit : group) bytes += commit.record.size();
  return bytes <= options_.most_log_bytes ? Status() : FlushAlone(manifest_.sequence);
}

template <IndexKind Kind>
Status SegmentedWriter<Kind>::CommitToLog(std::span<const QueuedCommit> group) {
  std::string joined;
  if (group.size() > 1) {
    for (const QueuedCommit& commit : group) joined += commit.record;
  }
  const std::string_view record = group.size() > 1 ? std::string_view(joined) : group[0].record;
  AssumeBroken();
  if (log_ != nullptr) {
    const Status logged = log_->Append(record);
    if (!logged) return Break(logged.error());
  }
  Status applied;
  state_->ChangeAlone([&] {
    applied = state_->Apply(record);
    state_->SetStats(manifest_, log_ == nullptr ? 0 : log_->end().bytes);
  });
  broken_.reset();
  return applied ? applied : Break(applied.error());
}

// All segments come before the log, so the content of the log first becomes a segment.
template <IndexKind Kind>
Status SegmentedWriter<Kind>::CommitDirect(std::string_view record) {
  if (log_->end().records != 0) ZHIWEN_RETURN_IF_ERROR(FlushAlone(manifest_.sequence));
  ZHIWEN_ASSIGN_OR_RETURN(const std::unique_ptr<Rows> rows,
                          Kind::RowsOf(record, state_->settings()));
  Change change = StartChange();
  return PublishOrRemove(AddSegment(*rows, change), change, Memory::kKeep);
}

template <IndexKind Kind>
Status SegmentedWriter<Kind>::Flush(uint64_t sequence) {
  const std::scoped_lock lock(write_mutex_);
  ZHIWEN_RETURN_IF_ERROR(CheckUsable());
  return FlushAlone(sequence);
}

template <IndexKind Kind>
Status SegmentedWriter<Kind>::FlushAlone(uint64_t sequence) {
  const auto is_changed = [](const Segment& segment) { return segment.is_changed; };
  const bool is_clean = state_->memory().rows() == 0 &&
                        std::ranges::none_of(state_->segments(), is_changed) &&
                        (log_ == nullptr || log_->end().records == 0);
  if (is_clean && sequence == manifest_.sequence) return {};
  Change change = StartChange();
  return PublishOrRemove(MakeFlush(sequence, change), change, Memory::kClear);
}

template <IndexKind Kind>
Status SegmentedWriter<Kind>::MakeFlush(uint64_t sequence, Change& change) {
  change.manifest.sequence = sequence;
  for (Segment& segment : change.segments) {
    ZHIWEN_RETURN_IF_ERROR(WriteDeleted(segment, change));
  }
  if (state_->memory().rows() != 0) ZHIWEN_RETURN_IF_ERROR(AddSegment(state_->memory(), change));
  return RotateLog(change);
}

// Keeps only the deletions that a crash does not undo. After a crash the owner commits its batches
// again, and the other deletions may be half of a batch whose other half is in memory.
template <IndexKind Kind>
Status SegmentedWriter<Kind>::KeepDurable(Segment& segment) const {
  if (!segment.is_changed || has_own_log()) return {};
  segment.is_changed = false;
  segment.deleted = RowBitmap(segment.entry.rows);
  if (segment.entry.deleted == 0) return {};
  ZHIWEN_ASSIGN_OR_RETURN(
      segment.deleted, RowBitmap::Read(folder_.files(), folder_.DeletedPath(segment.entry.deleted),
                                       segment.entry.deleted, segment.entry.rows));
  return {};
}

template <IndexKind Kind>
auto SegmentedWriter<Kind>::StartMerge(Choose choose) -> Result<Merge> {
  const std::scoped_lock lock(write_mutex_);
  ZHIWEN_RETURN_IF_ERROR(CheckUsable());
  std::vector<MergeCandidate> candidates;
  std::vector<Segment> segments = state_->segments();
  for (Segment& segment : segments) {
    ZHIWEN_RETURN_IF_ERROR(KeepDurable(segment));
    candidates.push_back({.rows = segment.entry.rows,
                          .deleted = segment.deleted.count(),
                          .share = Kind::ShareOfFile(*segment.segment)});
  }
  Merge merge;
  for (const size_t place : choose(candidates)) {
    merge.inputs.push_back(std::move(segments[place]));
  }
  if (!merge.inputs.empty()) merge.number = next_number_++;
  return merge;
}

template <IndexKind Kind>
Result<bool> SegmentedWriter<Kind>::RunMerge(Choose choose, ProgressSink& progress,
                                             const Cancellation& cancellation) {
  const std::scoped_lock lock(merge_mutex_);
  ZHIWEN_ASSIGN_OR_RETURN(const Merge merge, StartMerge(choose));
  if (merge.inputs.empty()) return false;
  ZHIWEN_ASSIGN_OR_RETURN(const std::unique_ptr<Rows> rows,
                          Kind::Merge(merge.inputs, progress, cancellation));
  std::optional<Segment> output;
  if (rows->rows() != 0) {
    ZHIWEN_ASSIGN_OR_RETURN(output, WriteSegment(merge.number, *rows));
  }
  ZHIWEN_RETURN_IF_ERROR(FinishMerge(merge, std::move(output)));
  return true;
}

// Deletes from the merged segment the rows that were deleted from an input meanwhile.
template <IndexKind Kind>
Status SegmentedWriter<Kind>::DeleteSince(const Segment& before, const Segment& now,
                                          Segment& output) {
  Status status;
  const auto remove = [&](uint64_t deleted) -> Status {
    ZHIWEN_ASSIGN_OR_RETURN(
        const std::optional<uint32_t> found,
        Kind::FindRow(*now.segment, static_cast<uint32_t>(deleted), *output.segment));
    if (found.has_value()) output.is_changed |= output.deleted.Set(*found);
    return {};
  };
  now.deleted.VisitSince(before.deleted, [&](uint64_t row) {
    if (status) status = remove(row);
  });
  return status;
}

template <IndexKind Kind>
Status SegmentedWriter<Kind>::MakeMerged(const Merge& merge, std::optional<Segment> output,
                                         Change& change) {
  std::vector<Segment> inputs;  // in their current state
  for (const Segment& input : merge.inputs) {
    const auto now = std::ranges::find(change.segments, input.entry.number,
                                       [](const auto& segment) { return segment.entry.number; });
    change.replaced.push_back(folder_.SegmentPath(now->entry.number));
    if (now->entry.deleted != 0) change.replaced.push_back(folder_.DeletedPath(now->entry.deleted));
    inputs.push_back(std::move(*now));
    change.segments.erase(now);
  }
  if (!output.has_value()) return {};
  // First the rows that stay deleted, which are written; then the others.
  for (size_t i = 0; i < inputs.size(); ++i) {
    Segment durable = inputs[i];
    ZHIWEN_RETURN_IF_ERROR(KeepDurable(durable));
    ZHIWEN_RETURN_IF_ERROR(DeleteSince(merge.inputs[i], durable, *output));
  }
  ZHIWEN_RETURN_IF_ERROR(WriteDeleted(*output, change));
  for (size_t i = 0; i < inputs.size(); ++i) {
    ZHIWEN_RETURN_IF_ERROR(DeleteSince(merge.inputs[i], inputs[i], *output));
  }
  change.segments.push_back(*std::move(output));
  return {};
}

template <IndexKind Kind>
Status SegmentedWriter<Kind>::FinishMerge(const Merge& merge, std::optional<Segment> output) {
  const std::scoped_lock lock(write_mutex_);
  if (const Status usable = CheckUsable(); !usable) {
    if (output.has_value()) (void)folder_.files().RemoveAll(output->segment->path());
    return usable;
  }
  Change change = StartChange();
  if (output.has_value()) change.made.push_back(output->segment->path());
  return PublishOrRemove(MakeMerged(merge, std::move(output), change), change, Memory::kKeep);
}

template <IndexKind Kind>
Status SegmentedWriter<Kind>::MergeAll(ProgressSink& progress, const Cancellation& cancellation) {
  {
    const std::scoped_lock lock(write_mutex_);
    ZHIWEN_RETURN_IF_ERROR(CheckUsable());
    ZHIWEN_RETURN_IF_ERROR(FlushAlone(manifest_.sequence));
  }
  for (;;) {
    ZHIWEN_ASSIGN_OR_RETURN(const bool merged, RunMerge(ChooseAll, progress, cancellation));
    if (!merged) return {};
  }
}

template <IndexKind Kind>
Status SegmentedWriter<Kind>::Close() {
  const std::scoped_lock lock(write_mutex_);
  ZHIWEN_RETURN_IF_ERROR(CheckUsable());
  if (log_ == nullptr) return {};
  const uint64_t bytes = log_->end().bytes;
  ZHIWEN_RETURN_IF_ERROR(log_->Close());
  if (manifest_.log_bytes == bytes) return {};
  Change change = StartChange();
  change.manifest.log_bytes = bytes;
  return Publish(change, Memory::kKeep);
}

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_DURABLE_SEGMENTED_WRITER_H_
