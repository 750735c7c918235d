#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "pipeline/batches/code_batches.h"
#include "zhiwen/figures.h"

namespace zhiwen {
namespace {

// A commit has at most so many rows, or bytes of changes.
constexpr uint64_t kRowsOfCommit = uint64_t{1} << 20;
constexpr uint64_t kBytesOfCommit = uint64_t{64} << 20;

// Commits rows as they come.
class IndexChanger {
 public:
  IndexChanger(CodeIndexWriter& writer, const CodeChangeOptions& options,
               const BatchEnvironment& environment)
      : writer_(writer), options_(options), environment_(environment) {}

  Status Take(const CodeBatch& batch);
  Status Commit();
  // Commits the rest and merges.
  Status Finish();

  uint64_t rows() const { return committed_; }
  std::optional<uint64_t> removed() const { return removed_; }

  // Adds to an error which rows are changed all the same; `done` is "added" or "removed".
  Error Explain(Error error, std::string_view done) const;

 private:
  void Change(const CodeBatch& batch, size_t row);
  Status Merge();

  CodeIndexWriter& writer_;
  const CodeChangeOptions& options_;
  const BatchEnvironment& environment_;
  CodeChanges changes_;
  // Rows of a commit that failed may or may not be in the index.
  uint64_t committed_ = 0, in_doubt_ = 0;
  std::optional<uint64_t> removed_ = 0;
  size_t segments_ = 0;  // when merging was looked at last
};

void IndexChanger::Change(const CodeBatch& batch, size_t row) {
  switch (options_.change) {
    case CodeChange::kAdd:
      return changes_.Add(batch.codes[row], batch.labels[row]);
    case CodeChange::kRemove:
      return changes_.Remove(batch.codes[row], batch.labels[row]);
    case CodeChange::kRemoveCode:
      return changes_.RemoveCode(batch.codes[row]);
    case CodeChange::kRemoveLabel:
      return changes_.RemoveLabel(batch.labels[row]);
  }
}

Status IndexChanger::Take(const CodeBatch& batch) {
  for (size_t row = 0; row < batch.labels.size(); ++row) Change(batch, row);
  const bool is_large =
      changes_.size() >= kRowsOfCommit || changes_.bytes().size() >= kBytesOfCommit;
  return is_large ? Commit() : Status();
}

Status IndexChanger::Commit() {
  if (changes_.size() == 0) return {};
  const CodeIndexStats before = writer_.index().stats();
  in_doubt_ = changes_.size();
  ZHIWEN_RETURN_IF_ERROR(writer_.Commit(changes_));
  const CodeIndexStats stats = writer_.index().stats();
  if (!before.counts_once()) removed_.reset();
  if (removed_) *removed_ += before.rows() - std::min(before.rows(), stats.rows());
  committed_ += std::exchange(in_doubt_, 0);
  changes_.Clear();
  if (options_.committed) ZHIWEN_RETURN_IF_ERROR(options_.committed(committed_));
  // Small commits make a segment only now and then.
  return stats.segments.size() > segments_ ? Merge() : Status();
}

Status IndexChanger::Merge() {
  bool is_merging = options_.merges;
  while (is_merging) {
    ZHIWEN_ASSIGN_OR_RETURN(is_merging,
                            writer_.MergeOnce(environment_.progress, environment_.cancellation));
  }
  segments_ = writer_.index().stats().segments.size();
  return {};
}

Status IndexChanger::Finish() {
  ZHIWEN_RETURN_IF_ERROR(Commit());
  return Merge();
}

Error IndexChanger::Explain(Error error, std::string_view done) const {
  const std::string& folder = options_.folder;
  if (committed_ == 0 && in_doubt_ == 0) {
    error.message += fmt::format("; \"{}\" is as it was", folder);
    return error;
  }
  if (committed_ != 0) {
    error.message += fmt::format("; {} before that {} {} in \"{}\" and {} so",
                                 FormatPlural(committed_, "row"), committed_ == 1 ? "is" : "are",
                                 done, folder, committed_ == 1 ? "stays" : "stay");
  }
  if (in_doubt_ != 0) {
    error.message += fmt::format("; {} may or may not be {} in \"{}\"",
                                 FormatPlural(in_doubt_, "row"), done, folder);
  }
  error.message += ", run the same again for the rest";
  return error;
}

}  // namespace

Result<CodeChangeSummary> ChangeCodeIndex(const CodeChangeOptions& options,
                                          const BatchEnvironment& environment) {
  const bool adds = options.change == CodeChange::kAdd;
  const std::string_view done = adds ? "added" : "removed";
  CodeFileOptions read = options.files;
  if (options.change == CodeChange::kRemoveLabel) read.reader.rows = CodeRows::kLabels;
  CodeBatches batches(read, adds ? Stage::kAddRows : Stage::kRemoveRows, environment);
  ZHIWEN_RETURN_IF_ERROR(batches.Check());
  ZHIWEN_ASSIGN_OR_RETURN(const auto writer,
                          CodeIndexWriter::Open(environment.files, options.folder, {}));
  IndexChanger changer(*writer, options, environment);
  const CodeVisitor visitor = {
      .take = [&](const CodeBatch& batch, const RowsDone&) { return changer.Take(batch); },
      .idle = [&] { return changer.Commit(); },
      .patience = options.patience};
  Status changed = batches.ForEach(writer->index().options().code_bits, visitor);
  if (changed) changed = changer.Finish();
  CodeChangeSummary summary{.read = changer.rows(),
                            .removed = changer.removed(),
                            .kind = writer->index().options(),
                            .stats = writer->index().stats()};
  const Status closed = writer->Close();
  if (!changed) return tl::unexpected(changer.Explain(std::move(changed).error(), done));
  if (closed) return summary;
  return Fail(
      closed.error().code,
      fmt::format("{}; all that was read, {}, is {} in \"{}\" and stays so", closed.error().message,
                  FormatPlural(changer.rows(), "row"), done, options.folder));
}

}  // namespace zhiwen
