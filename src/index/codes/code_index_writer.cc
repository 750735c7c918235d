#include <algorithm>
#include <mutex>
#include <utility>

#include <fmt/format.h>

#include "index/codes/code_changes.h"
#include "index/codes/code_state.h"
#include "index/codes/commit_queue.h"
#include "index/codes/merge_choice.h"
#include "index/codes/merged_rows.h"
#include "index/codes/sorted_rows.h"
#include "index/durable/synced_file.h"

namespace zhiwen {
namespace {

class Writer final : public CodeIndexWriter {
 public:
  Writer(FileSystem& files, const std::string& folder, const CodeWriterOptions& options)
      : folder_(files, folder, kCodesKind), options_(options) {
    options_.log_bytes = std::min(options_.log_bytes, kMostRecordBytes);
  }

  Status Load();

  const CodeIndex& index() const override { return *state_; }
  Status Commit(const CodeChanges& changes) override;
  Status Flush(uint64_t sequence) override;
  Result<bool> MergeOnce(ProgressSink& progress, const Cancellation& cancellation) override;
  Status MergeAll(ProgressSink& progress, const Cancellation& cancellation) override;
  Status Close() override;

 private:
  using Choose = std::vector<size_t> (*)(std::span<const MergeCandidate>);

  // What a change of the folder is made of, until it is published.
  struct Change {
    Manifest manifest;
    std::vector<StateSegment> segments;
    std::vector<std::string> made, replaced;  // files
    std::unique_ptr<LogFile> log;
  };
  // What is merged, as it was in the beginning.
  struct Merge {
    std::vector<StateSegment> inputs;
    uint64_t number = 0;  // of the segment that is made
  };

  bool has_own_log() const { return options_.durability == Durability::kOwnLog; }
  Status CheckChanges(const CodeChanges& changes) const;
  Status CheckUsable() const;
  Status Break(const Error& error);

  Change StartChange() const;
  Result<StateSegment> WriteSegment(uint64_t number, const SegmentRows& rows) const;
  Status AddSegment(const SegmentRows& rows, Change& change);
  Status WriteDeleted(StateSegment& segment, Change& change);
  Status RotateLog(Change& change);
  // Makes `change` the state; with the memory cleared, when its rows are in a segment.
  enum class Memory : uint8_t { kKeep, kClear };
  Status Publish(Change& change, Memory memory);
  Status PublishOrRemove(Status made, Change& change, Memory memory);

  Status CommitGroup(std::span<const CodeChanges* const> group);
  Status CommitDirect(const CodeChanges& changes);
  Status CommitToLog(std::span<const CodeChanges* const> group);
  Status FlushAlone(uint64_t sequence);
  Status MakeFlush(uint64_t sequence, Change& change);

  Status KeepDurable(StateSegment& segment) const;
  Result<Merge> StartMerge(Choose choose);
  Result<bool> RunMerge(Choose choose, ProgressSink& progress, const Cancellation& cancellation);
  Status FinishMerge(const Merge& merge, std::optional<StateSegment> output);
  Status MakeMerged(const Merge& merge, std::optional<StateSegment> output, Change& change);
  static Status DeleteSince(const StateSegment& before, const StateSegment& now,
                            StateSegment& output);

  const IndexFolder folder_;
  CodeWriterOptions options_;
  std::unique_ptr<FileLock> lock_;
  std::unique_ptr<CodeState> state_;
  CommitQueue queue_;
  std::mutex merge_mutex_;  // held by who merges, before write_mutex_
  std::mutex write_mutex_;  // held by who changes what follows, and the state
  Manifest manifest_;
  std::unique_ptr<LogFile> log_;
  uint64_t next_number_ = 1;  // of files
  std::optional<Error> broken_;
};

Status Writer::Load() {
  ZHIWEN_RETURN_IF_ERROR(folder_.Read());  // that something is there to be locked
  ZHIWEN_ASSIGN_OR_RETURN(lock_, folder_.Lock());
  ZHIWEN_ASSIGN_OR_RETURN(manifest_, folder_.Read());
  ZHIWEN_ASSIGN_OR_RETURN(state_, CodeState::Load(folder_, manifest_));
  folder_.RemoveLeftovers(manifest_);
  next_number_ = manifest_.next_number;
  if (has_own_log() && manifest_.log != 0) {
    ZHIWEN_ASSIGN_OR_RETURN(log_, LogFile::Continue(folder_.files(), folder_.LogPath(manifest_.log),
                                                    state_->log_end()));
    return {};
  }
  if (!has_own_log() && manifest_.log == 0) return {};
  // Another owner of the log than the last time.
  Change change = StartChange();
  return PublishOrRemove(MakeFlush(manifest_.sequence, change), change, Memory::kClear);
}

Status Writer::CheckChanges(const CodeChanges& changes) const {
  const uint32_t bits = state_->options().code_bits;
  if (bits < 64 && changes.code_bits_set() >> bits != 0) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("a code has more bits than the index, which is of {}", bits));
  }
  if (changes.longest_label() > kMostLabelBytes) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("a label has more than {} bytes", kMostLabelBytes));
  }
  if (changes.bytes().size() > kMostRecordBytes) {
    return Fail(
        ErrorCode::kInvalidArgument,
        fmt::format("a commit has more than {} bytes; commit smaller batches", kMostRecordBytes));
  }
  return {};
}

Status Writer::CheckUsable() const {
  return broken_.has_value() ? Fail(broken_->code, broken_->message) : Status();
}

// It is open what is on the disk: only opening the index again tells.
Status Writer::Break(const Error& error) {
  broken_ = {error.code, error.message + "; open the index again"};
  return CheckUsable();
}

Writer::Change Writer::StartChange() const {
  return {.manifest = manifest_,
          .segments = state_->segments(),
          .made = {},
          .replaced = {},
          .log = nullptr};
}

Result<StateSegment> Writer::WriteSegment(uint64_t number, const SegmentRows& rows) const {
  const std::string path = folder_.SegmentPath(number);
  const auto write = [&](const SectionSink& take) { return WriteCodeSegment(rows, take); };
  ZHIWEN_ASSIGN_OR_RETURN(const uint64_t identity, WriteSyncedFile(folder_.files(), path, write));
  ZHIWEN_ASSIGN_OR_RETURN(std::shared_ptr<const CodeSegment> segment,
                          CodeSegment::Open(folder_.files(), path));
  if (segment->identity() != identity) {
    return Fail(ErrorCode::kUnreadable,
                fmt::format("cannot write \"{}\": it does not read back as it was written", path));
  }
  return StateSegment{
      .entry = {.number = number, .rows = rows.rows(), .identity = identity, .deleted = 0},
      .segment = std::move(segment),
      .deleted = RowBitmap(rows.rows())};
}

Status Writer::AddSegment(const SegmentRows& rows, Change& change) {
  const uint64_t number = next_number_++;
  change.made.push_back(folder_.SegmentPath(number));
  ZHIWEN_ASSIGN_OR_RETURN(StateSegment segment, WriteSegment(number, rows));
  change.segments.push_back(std::move(segment));
  return {};
}

Status Writer::WriteDeleted(StateSegment& segment, Change& change) {
  if (!segment.is_changed) return {};
  const uint64_t number = next_number_++;
  change.made.push_back(folder_.DeletedPath(number));
  ZHIWEN_RETURN_IF_ERROR(segment.deleted.Write(folder_.files(), change.made.back()));
  if (segment.entry.deleted != 0) {
    change.replaced.push_back(folder_.DeletedPath(segment.entry.deleted));
  }
  segment.entry.deleted = number;
  segment.is_changed = false;
  return {};
}

Status Writer::RotateLog(Change& change) {
  if (manifest_.log != 0) change.replaced.push_back(folder_.LogPath(manifest_.log));
  change.manifest.log = change.manifest.log_bytes = 0;
  if (!has_own_log()) return {};
  const uint64_t number = next_number_++;
  change.made.push_back(folder_.LogPath(number));
  ZHIWEN_ASSIGN_OR_RETURN(change.log, LogFile::Create(folder_.files(), change.made.back(), number));
  change.manifest.log = number;
  return {};
}

Status Writer::Publish(Change& change, Memory memory) {
  std::ranges::sort(change.segments, {},
                    [](const StateSegment& segment) { return segment.entry.number; });
  change.manifest.segments.clear();
  for (const StateSegment& segment : change.segments) {
    change.manifest.segments.push_back(segment.entry);
  }
  change.manifest.next_number = next_number_;
  bool is_open = false;
  const Status published = folder_.Publish(change.manifest, &is_open);
  if (!published) return is_open ? Break(published.error()) : published;
  manifest_ = std::move(change.manifest);
  if (change.log != nullptr || manifest_.log == 0) log_ = std::move(change.log);
  state_->ChangeAlone([&] {
    state_->SetSegments(std::move(change.segments));
    if (memory == Memory::kClear) state_->ClearMemory();
    state_->SetStats(manifest_, log_ == nullptr ? 0 : log_->end().bytes);
  });
  for (const std::string& path : change.replaced) (void)folder_.files().RemoveFile(path);
  return {};
}

// Where nothing came of it, the files that were made go.
Status Writer::PublishOrRemove(Status made, Change& change, Memory memory) {
  if (made) made = Publish(change, memory);
  if (!made && !broken_.has_value()) {
    for (const std::string& path : change.made) (void)folder_.files().RemoveAll(path);
  }
  return made;
}

Status Writer::Commit(const CodeChanges& changes) {
  ZHIWEN_RETURN_IF_ERROR(CheckChanges(changes));
  if (changes.size() == 0) return {};
  return queue_.Commit(changes, options_.log_bytes,
                       [this](std::span<const CodeChanges* const> group) {
                         const std::scoped_lock lock(write_mutex_);
                         return CommitGroup(group);
                       });
}

Status Writer::CommitGroup(std::span<const CodeChanges* const> group) {
  ZHIWEN_RETURN_IF_ERROR(CheckUsable());
  if (group.size() == 1 && group[0]->removals() == 0 &&
      group[0]->additions() >= options_.direct_rows && has_own_log()) {
    return CommitDirect(*group[0]);
  }
  ZHIWEN_RETURN_IF_ERROR(CommitToLog(group));
  if (log_ != nullptr && log_->end().bytes >= options_.log_bytes) {
    // The changes are safe as it is. What cannot be done is done with the next.
    (void)FlushAlone(manifest_.sequence);
  }
  return {};
}

Status Writer::CommitToLog(std::span<const CodeChanges* const> group) {
  std::string joined;
  if (group.size() > 1) {
    for (const CodeChanges* changes : group) joined += changes->bytes();
  }
  const std::string& record = group.size() > 1 ? joined : group[0]->bytes();
  if (log_ != nullptr) {
    const Status logged = log_->Append(record);
    if (!logged) return Break(logged.error());
  }
  Status applied;
  // Stays so where memory runs out within a batch.
  broken_ = {ErrorCode::kExhausted, "out of memory in a commit; open the index again"};
  state_->ChangeAlone([&] {
    applied = state_->Apply(record);
    state_->SetStats(manifest_, log_ == nullptr ? 0 : log_->end().bytes);
  });
  broken_.reset();
  return applied ? applied : Break(applied.error());
}

// All segments come before the log: what is in that becomes one first.
Status Writer::CommitDirect(const CodeChanges& changes) {
  if (log_->end().records != 0) ZHIWEN_RETURN_IF_ERROR(FlushAlone(manifest_.sequence));
  std::vector<CodeRow> rows;
  rows.reserve(changes.additions());
  ZHIWEN_RETURN_IF_ERROR(VisitChanges(changes.bytes(), [&](const CodeChange& change) {
    rows.push_back({change.code, change.label});
  }));
  const SortedRows sorted(std::move(rows), state_->options().code_bits);
  Change change = StartChange();
  return PublishOrRemove(AddSegment(sorted, change), change, Memory::kKeep);
}

Status Writer::Flush(uint64_t sequence) {
  const std::scoped_lock lock(write_mutex_);
  ZHIWEN_RETURN_IF_ERROR(CheckUsable());
  return FlushAlone(sequence);
}

Status Writer::FlushAlone(uint64_t sequence) {
  const auto is_changed = [](const StateSegment& segment) { return segment.is_changed; };
  const bool is_clean = state_->memory().rows() == 0 &&
                        std::ranges::none_of(state_->segments(), is_changed) &&
                        (log_ == nullptr || log_->end().records == 0);
  if (is_clean && sequence == manifest_.sequence) return {};
  Change change = StartChange();
  return PublishOrRemove(MakeFlush(sequence, change), change, Memory::kClear);
}

Status Writer::MakeFlush(uint64_t sequence, Change& change) {
  change.manifest.sequence = sequence;
  for (StateSegment& segment : change.segments) {
    ZHIWEN_RETURN_IF_ERROR(WriteDeleted(segment, change));
  }
  if (state_->memory().rows() != 0) ZHIWEN_RETURN_IF_ERROR(AddSegment(state_->memory(), change));
  return RotateLog(change);
}

// Leaves of the deleted rows those that a crash does not bring back. What an owner commits again
// may be half of a batch, of which the other half is in memory.
Status Writer::KeepDurable(StateSegment& segment) const {
  if (!segment.is_changed || has_own_log()) return {};
  segment.is_changed = false;
  segment.deleted = RowBitmap(segment.entry.rows);
  if (segment.entry.deleted == 0) return {};
  ZHIWEN_ASSIGN_OR_RETURN(
      segment.deleted, RowBitmap::Read(folder_.files(), folder_.DeletedPath(segment.entry.deleted),
                                       segment.entry.rows));
  return {};
}

Result<Writer::Merge> Writer::StartMerge(Choose choose) {
  const std::scoped_lock lock(write_mutex_);
  ZHIWEN_RETURN_IF_ERROR(CheckUsable());
  std::vector<MergeCandidate> candidates;
  std::vector<StateSegment> segments = state_->segments();
  for (StateSegment& segment : segments) {
    ZHIWEN_RETURN_IF_ERROR(KeepDurable(segment));
    candidates.push_back({segment.entry.rows, segment.deleted.count()});
  }
  Merge merge;
  for (const size_t place : choose(candidates)) {
    merge.inputs.push_back(std::move(segments[place]));
  }
  if (!merge.inputs.empty()) merge.number = next_number_++;
  return merge;
}

Result<bool> Writer::RunMerge(Choose choose, ProgressSink& progress,
                              const Cancellation& cancellation) {
  const std::scoped_lock lock(merge_mutex_);
  ZHIWEN_ASSIGN_OR_RETURN(const Merge merge, StartMerge(choose));
  if (merge.inputs.empty()) return false;
  std::vector<MergeInput> inputs;
  inputs.reserve(merge.inputs.size());
  for (const StateSegment& input : merge.inputs) {
    inputs.push_back({input.segment.get(), &input.deleted});
  }
  ZHIWEN_ASSIGN_OR_RETURN(const std::unique_ptr<MergedRows> rows,
                          MergedRows::Create(std::move(inputs), progress, cancellation));
  std::optional<StateSegment> output;
  if (rows->rows() != 0) {
    ZHIWEN_ASSIGN_OR_RETURN(output, WriteSegment(merge.number, *rows));
  }
  ZHIWEN_RETURN_IF_ERROR(FinishMerge(merge, std::move(output)));
  return true;
}

// What was deleted of an input while it was merged.
Status Writer::DeleteSince(const StateSegment& before, const StateSegment& now,
                           StateSegment& output) {
  Status status;
  const auto remove = [&](uint64_t deleted) -> Status {
    const auto row = static_cast<uint32_t>(deleted);
    ZHIWEN_ASSIGN_OR_RETURN(const uint64_t code, now.segment->CodeOf(row));
    ZHIWEN_ASSIGN_OR_RETURN(const std::string_view label, now.segment->LabelOf(row));
    ZHIWEN_ASSIGN_OR_RETURN(const auto rows, output.segment->RowsOfCode(code));
    ZHIWEN_ASSIGN_OR_RETURN(const auto found, output.segment->FindLabel(rows, label));
    if (found.has_value()) output.is_changed |= output.deleted.Set(*found);
    return {};
  };
  now.deleted.VisitSince(before.deleted, [&](uint64_t row) {
    if (status) status = remove(row);
  });
  return status;
}

Status Writer::MakeMerged(const Merge& merge, std::optional<StateSegment> output, Change& change) {
  std::vector<StateSegment> inputs;  // as they are now
  for (const StateSegment& input : merge.inputs) {
    const auto now = std::ranges::find(change.segments, input.entry.number,
                                       [](const auto& segment) { return segment.entry.number; });
    change.replaced.push_back(folder_.SegmentPath(now->entry.number));
    if (now->entry.deleted != 0) change.replaced.push_back(folder_.DeletedPath(now->entry.deleted));
    inputs.push_back(std::move(*now));
    change.segments.erase(now);
  }
  if (!output.has_value()) return {};
  // First what stays deleted, which is written; then the rest.
  for (size_t i = 0; i < inputs.size(); ++i) {
    StateSegment durable = inputs[i];
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

Status Writer::FinishMerge(const Merge& merge, std::optional<StateSegment> output) {
  const std::scoped_lock lock(write_mutex_);
  if (const Status usable = CheckUsable(); !usable) {
    if (output.has_value()) (void)folder_.files().RemoveAll(output->segment->path());
    return usable;
  }
  Change change = StartChange();
  if (output.has_value()) change.made.push_back(output->segment->path());
  return PublishOrRemove(MakeMerged(merge, std::move(output), change), change, Memory::kKeep);
}

Result<bool> Writer::MergeOnce(ProgressSink& progress, const Cancellation& cancellation) {
  return RunMerge(ChooseMerge, progress, cancellation);
}

Status Writer::MergeAll(ProgressSink& progress, const Cancellation& cancellation) {
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

Status Writer::Close() {
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

}  // namespace

Result<std::unique_ptr<CodeIndexWriter>> CodeIndexWriter::Open(FileSystem& files,
                                                               const std::string& folder,
                                                               const CodeWriterOptions& options) {
  auto writer = std::make_unique<Writer>(files, folder, options);
  ZHIWEN_RETURN_IF_ERROR(writer->Load());
  return writer;
}

}  // namespace zhiwen
