// index add and remove.
#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "commands/code_files.h"
#include "commands/index_actions.h"
#include "terminal/progress_bar.h"
#include "zhiwen/figures.h"
#include "zhiwen/file_system.h"
#include "zhiwen/json_forms.h"

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
  // So many fewer are in the index after the commits; nothing where that cannot be told.
  std::optional<uint64_t> removed() const { return removed_; }
  // Of the rows of a commit that failed it may be open whether they are in the index.
  uint64_t rows_in_doubt() const { return in_doubt_; }

 private:
  Status CommitIfLarge();
  Status Merge();

  CodeIndexWriter& writer_;
  const IndexActionOptions& options_;
  CommandContext& context_;
  ProgressBar& progress_;
  CodeChanges changes_;
  uint64_t committed_ = 0, in_doubt_ = 0;
  std::optional<uint64_t> removed_ = 0;
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
  const CodeIndexStats before = writer_.index().stats();
  in_doubt_ = changes_.size();
  ZHIWEN_RETURN_IF_ERROR(writer_.Commit(changes_));
  const CodeIndexStats stats = writer_.index().stats();
  if (!CountsOnce(before)) removed_.reset();
  if (removed_) *removed_ += before.rows() - std::min(before.rows(), stats.rows());
  committed_ += std::exchange(in_doubt_, 0);
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

// What stays of a run that failed, of which `done` is what was to be done with the rows.
Error Explain(Error error, const IndexChanger& changer, const IndexActionOptions& options,
              std::string_view done) {
  const uint64_t rows = changer.rows(), in_doubt = changer.rows_in_doubt();
  if (rows == 0 && in_doubt == 0) {
    error.message += fmt::format("; \"{}\" is as it was", options.folder);
    return error;
  }
  if (rows != 0) {
    error.message +=
        fmt::format("; {} before that {} {} in \"{}\" and {} so", FormatPlural(rows, "row"),
                    rows == 1 ? "is" : "are", done, options.folder, rows == 1 ? "stays" : "stay");
  }
  if (in_doubt != 0) {
    error.message += fmt::format("; {} may or may not be {} in \"{}\"",
                                 FormatPlural(in_doubt, "row"), done, options.folder);
  }
  error.message += ", run the same again for the rest";
  return error;
}

std::string Summarize(const IndexChanger& changer, std::string_view action) {
  const uint64_t read = changer.rows();
  if (action == "add") return FormatPlural(read, "row") + " added";
  if (!changer.removed()) return FormatPlural(read, "row") + " read and removed where they were,";
  return fmt::format("{} removed, for {} read,", FormatPlural(*changer.removed(), "row"),
                     FormatCount(read));
}

std::string Report(const IndexChanger& changer, const IndexActionOptions& options,
                   std::string_view action, const CodeIndexOptions& kind,
                   const CodeIndexStats& stats, std::chrono::nanoseconds begin) {
  if (options.json) {
    return CodeChangesToJson(
               {.action = action, .read = changer.rows(), .removed = changer.removed()}, kind,
               stats, options.folder) +
           "\n";
  }
  const double seconds = std::chrono::duration<double>(SystemClock().Monotonic() - begin).count();
  const double rate = static_cast<double>(changer.rows()) / seconds;
  return fmt::format("{}: {} in {}{}; now {}\n", options.folder, Summarize(changer, action),
                     FormatSeconds(seconds),
                     changer.rows() == 0
                         ? ""
                         : fmt::format(", {} rows/s", FormatCount(static_cast<uint64_t>(rate))),
                     FormatContent(stats));
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
      .take = [&](const CodeBatch& batch, const RowsDone&) { return (changer.*take)(batch); },
      .idle = [&] { return changer.Commit(); },
      .patience = options.acknowledges ? std::chrono::milliseconds(0) : kPatience};
  Status changed = files.ForEach(writer->index().options().code_bits, visitor);
  if (changed) changed = changer.Finish();
  const CodeIndexOptions kind = writer->index().options();
  const CodeIndexStats stats = writer->index().stats();
  const Status closed = writer->Close();
  if (!changed) {
    return tl::unexpected(Explain(std::move(changed).error(), changer, options, done));
  }
  if (!closed) {
    return Fail(closed.error().code,
                fmt::format("{}; all that was read, {}, is {} in \"{}\" and stays so",
                            closed.error().message, FormatPlural(changer.rows(), "row"), done,
                            options.folder));
  }
  progress.Clear();
  const std::string report = Report(changer, options, action, kind, stats, begin);
  return PrintDone(report, fmt::format("{} in \"{}\"", done, options.folder), options, context);
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
