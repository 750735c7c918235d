// index add and remove.
#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "code_files.h"
#include "figures.h"
#include "index_actions.h"
#include "progress_bar.h"
#include "zhiwen/file_system.h"

namespace zhiwen {
namespace {

// A commit has so many rows, or bytes of changes.
constexpr uint64_t kRowsAtOnce = uint64_t{1} << 20;
constexpr uint64_t kBytesAtOnce = uint64_t{64} << 20;
// What was sent is committed when nothing more came for so long; who waits for an acknowledgement
// sends nothing before that.
constexpr std::chrono::milliseconds kPatience(1000);

// Commits rows as they come.
class IndexChanger {
 public:
  IndexChanger(CodeIndexWriter& writer, const IndexActionOptions& options, CommandContext& context,
               ProgressBar& progress)
      : writer_(writer), options_(options), context_(context), progress_(progress) {}

  Status Add(const CodeBatch& batch);
  Status Remove(const CodeBatch& batch);
  Status Commit();
  // Merges what is to be merged.
  Status Finish();

  uint64_t rows() const { return committed_; }
  // So many fewer are in the index after the commits.
  uint64_t removed() const { return removed_; }

 private:
  Status CommitIfLarge();
  Status Merge();

  CodeIndexWriter& writer_;
  const IndexActionOptions& options_;
  CommandContext& context_;
  ProgressBar& progress_;
  CodeChanges changes_;
  uint64_t committed_ = 0, removed_ = 0;
  size_t segments_ = 0;  // when merging was looked at last
};

Status IndexChanger::Add(const CodeBatch& batch) {
  for (size_t i = 0; i < batch.codes.size(); ++i) changes_.Add(batch.codes[i], batch.labels[i]);
  return CommitIfLarge();
}

Status IndexChanger::Remove(const CodeBatch& batch) {
  for (size_t i = 0; i < batch.labels.size(); ++i) {
    switch (options_.by) {
      case RemovedBy::kRow:
        changes_.Remove(batch.codes[i], batch.labels[i]);
        break;
      case RemovedBy::kCode:
        changes_.RemoveCode(batch.codes[i]);
        break;
      case RemovedBy::kId:
        changes_.RemoveLabel(batch.labels[i]);
        break;
    }
  }
  return CommitIfLarge();
}

Status IndexChanger::CommitIfLarge() {
  const bool is_large = changes_.size() >= kRowsAtOnce || changes_.bytes().size() >= kBytesAtOnce;
  return is_large ? Commit() : Status();
}

Status IndexChanger::Commit() {
  if (changes_.size() == 0) return {};
  const uint64_t before = writer_.index().stats().rows();
  ZHIWEN_RETURN_IF_ERROR(writer_.Commit(changes_));
  const CodeIndexStats stats = writer_.index().stats();
  removed_ += before - std::min(before, stats.rows());
  committed_ += changes_.size();
  changes_.Clear();
  if (options_.acknowledges) {
    progress_.Clear();
    ZHIWEN_RETURN_IF_ERROR(context_.console.Print(fmt::format("{}\n", committed_)));
    ZHIWEN_RETURN_IF_ERROR(context_.console.Flush());
  }
  // Small commits make a segment now and then only.
  return stats.segments.size() > segments_ ? Merge() : Status();
}

Status IndexChanger::Merge() {
  bool is_merging = options_.merges != MergeChoice::kNone;
  while (is_merging) {
    ZHIWEN_ASSIGN_OR_RETURN(is_merging, writer_.MergeOnce(progress_, context_.cancellation));
  }
  segments_ = writer_.index().stats().segments.size();
  return {};
}

Status IndexChanger::Finish() {
  ZHIWEN_RETURN_IF_ERROR(Commit());
  return Merge();
}

// What stays of a run that failed.
Error Explain(Error error, const IndexChanger& changer, const IndexActionOptions& options,
              std::string_view done) {
  error.message += changer.rows() == 0
                       ? fmt::format("; \"{}\" is as it was", options.folder)
                       : fmt::format(
                             "; {} before that {} {} in \"{}\" and stay so, run the same "
                             "again for the rest",
                             FormatPlural(changer.rows(), "row"),
                             changer.rows() == 1 ? "is" : "are", done, options.folder);
  return error;
}

double SecondsSince(std::chrono::nanoseconds begin) {
  return std::chrono::duration<double>(SystemClock().Monotonic() - begin).count();
}

// Reads the files and makes changes of them; `take` is a member of the changer.
Status ChangeIndex(const IndexActionOptions& options, std::string_view action,
                   std::string_view done, Status (IndexChanger::*take)(const CodeBatch& batch),
                   CommandContext& context) {
  const std::chrono::nanoseconds begin = SystemClock().Monotonic();
  ProgressBar progress(context.console, SystemClock());
  CodeFiles files(options.files, std::string(action), context, progress);
  ZHIWEN_RETURN_IF_ERROR(files.Check(fmt::format("index {}", action)));
  ZHIWEN_ASSIGN_OR_RETURN(const auto writer,
                          CodeIndexWriter::Open(PosixFileSystem(), options.folder, {}));
  IndexChanger changer(*writer, options, context, progress);
  const CodeVisitor visitor = {
      .take = [&](const CodeBatch& batch) { return (changer.*take)(batch); },
      .idle = [&] { return changer.Commit(); },
      .patience = options.acknowledges ? std::chrono::milliseconds(0) : kPatience};
  Status changed = files.ForEach(writer->index().options().code_bits, visitor);
  if (changed) changed = changer.Finish();
  const CodeIndexStats stats = writer->index().stats();
  const Status closed = writer->Close();
  if (!changed) {
    return tl::unexpected(Explain(std::move(changed).error(), changer, options, done));
  }
  ZHIWEN_RETURN_IF_ERROR(closed);
  if (context.console.quiet()) return {};
  progress.Clear();
  const double seconds = SecondsSince(begin);
  const uint64_t read = changer.rows();
  const std::string what =
      action == "add" ? FormatPlural(read, "row") + " added"
                      : fmt::format("{} removed, for {} read,",
                                    FormatPlural(changer.removed(), "row"), FormatCount(read));
  return context.console.Print(fmt::format(
      "{}: {} in {}, {} rows/s; now {}, {}, {}\n", options.folder, what, FormatSeconds(seconds),
      FormatCount(static_cast<uint64_t>(static_cast<double>(read) / seconds)),
      FormatPlural(stats.rows(), "row"), FormatPlural(stats.segments.size(), "segment"),
      FormatBytes(stats.bytes())));
}

}  // namespace

Status IndexAdd(const IndexActionOptions& options, CommandContext& context) {
  return ChangeIndex(options, "add", "added", &IndexChanger::Add, context);
}

Status IndexRemove(const IndexActionOptions& options, CommandContext& context) {
  IndexActionOptions chosen = options;
  if (options.by == RemovedBy::kId) chosen.files.reader.rows = CodeRows::kLabels;
  return ChangeIndex(chosen, "remove", "removed", &IndexChanger::Remove, context);
}

}  // namespace zhiwen
