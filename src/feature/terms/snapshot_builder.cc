#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/first_error.h"
#include "base/scratch/row_sorter.h"
#include "feature/terms/snapshot_file.h"
#include "feature/terms/term_tally.h"
#include "zhiwen/term_snapshot.h"
#include "zhiwen/terms.h"

namespace zhiwen {
namespace {

// Terms are counted in memory tables. When a table is full, its terms go to the sorter, one row
// each: the term, a zero byte, and its count with the most significant byte first. The sorter
// returns equal terms one after another.
constexpr size_t kCountBytes = 4;

// A term belongs to the table given by the lowest bits of its hash. Each table has its own lock.
constexpr size_t kTables = 16;

// Parts of the memory, in eighths; one eighth is for spools (snapshot_file.cc).
constexpr uint64_t kTablesEighths = 3;
constexpr uint64_t kSorterEighths = 3;
constexpr uint64_t kTextsEighths = 1;  // for the terms of the texts being counted

constexpr size_t kDocumentsAtOnce = 4;
// The number of terms between two checks of the cancellation.
constexpr uint64_t kTermsBetweenLooks = 1 << 16;

void PutRow(std::string_view term, uint64_t count, std::string& row) {
  row.assign(term);
  row += '\0';
  for (size_t byte = kCountBytes; byte-- > 0;) row += static_cast<char>(count >> (8 * byte));
}

struct SortedRow {
  std::string_view term;
  uint64_t count = 0;
};

SortedRow TakeRow(std::string_view row) {
  SortedRow result = {.term = row.substr(0, row.size() - kCountBytes - 1)};
  for (const char byte : row.substr(row.size() - kCountBytes)) {
    result.count = result.count << 8 | static_cast<uint8_t>(byte);
  }
  return result;
}

tl::unexpected<Error> TooManyDocuments() {
  return Fail(ErrorCode::kExhausted, fmt::format("cannot count more than {} documents in one "
                                                 "snapshot",
                                                 kMostSnapshotDocuments));
}

Status LookSometimes(const Cancellation& cancellation, uint64_t& terms) {
  return ++terms % kTermsBetweenLooks == 0 ? cancellation.Check() : Status();
}

// Collects the distinct terms of one text in a table, and in a sorter when the table is full.
class DistinctTerms {
 public:
  // The table and the sorter together use `memory_bytes`.
  DistinctTerms(Scratch& scratch, std::string name, uint64_t memory_bytes)
      : scratch_(scratch), name_(std::move(name)), half_bytes_(memory_bytes / 2) {}

  Status Add(std::string_view term) {
    tally_.Add(term, 1);
    // The table doubles its memory when it grows.
    return tally_.memory() > half_bytes_ / 2 ? Spill() : Status();
  }

  // Calls take(term, hash) for each term, then forgets the terms.
  template <typename Take>
  Status TakeAll(const Cancellation& cancellation, const Take& take) {
    if (sorter_ == nullptr) {
      for (size_t i = 0; i < tally_.size(); ++i) {
        ZHIWEN_RETURN_IF_ERROR(take(tally_.text(i), tally_.hash(i)));
      }
      tally_.Clear();
      return {};
    }
    ZHIWEN_RETURN_IF_ERROR(Spill());
    ZHIWEN_RETURN_IF_ERROR(sorter_->Sort());
    std::string last;
    for (uint64_t rows = 0;;) {
      ZHIWEN_RETURN_IF_ERROR(LookSometimes(cancellation, rows));
      std::string_view term;
      ZHIWEN_ASSIGN_OR_RETURN(const bool more, sorter_->Next(term));
      if (!more) break;
      if (term == last) continue;
      last = term;
      ZHIWEN_RETURN_IF_ERROR(take(term, HashBytes64(term)));
    }
    sorter_.reset();
    return {};
  }

 private:
  Status Spill() {
    if (sorter_ == nullptr) {
      ZHIWEN_ASSIGN_OR_RETURN(sorter_, RowSorter::Create(scratch_, name_, half_bytes_));
    }
    for (size_t i = 0; i < tally_.size(); ++i) ZHIWEN_RETURN_IF_ERROR(sorter_->Add(tally_.text(i)));
    tally_ = TermTally();
    return {};
  }

  Scratch& scratch_;
  const std::string name_;
  const uint64_t half_bytes_;
  TermTally tally_;
  std::unique_ptr<RowSorter> sorter_;
};

// Checks that the snapshots can be merged. Returns the sum of their documents.
Result<uint64_t> CheckMergeable(std::span<const std::shared_ptr<const TermSnapshot>> snapshots) {
  if (snapshots.empty()) return Fail(ErrorCode::kInvalidArgument, "no snapshot to merge was given");
  const TermSnapshot& first = *snapshots.front();
  uint64_t documents = 0;
  for (const auto& snapshot : snapshots) {
    documents += snapshot->documents();
    if (snapshot->terms_name() != first.terms_name()) {
      return Fail(
          ErrorCode::kConflict,
          fmt::format("cannot merge \"{}\" and \"{}\": one counted {}, the other {}; build "
                      "both with the same dictionaries and synonyms",
                      first.path(), snapshot->path(), first.terms_name(), snapshot->terms_name()));
    }
    if (snapshot->least_documents() > 1) {
      return Fail(ErrorCode::kConflict,
                  fmt::format("cannot merge \"{}\": terms of fewer than {} documents were left "
                              "out, so that sums would be wrong; build it of all "
                              "terms, and leave rare ones out when merging",
                              snapshot->path(), snapshot->least_documents()),
                  {Advice::kSetLeastDocuments});
    }
  }
  if (documents > kMostSnapshotDocuments) return TooManyDocuments();
  return documents;
}

}  // namespace

struct SnapshotBuilder::State {
  struct Table {
    std::mutex mutex;
    TermTally tally;
  };

  explicit State(const TermExtractor& terms) : extractor(terms) {}

  Status CountText(std::string_view text, const Cancellation& cancellation,
                   DistinctTerms& distinct);
  Status CountTerm(std::string_view term, uint64_t hash);
  Status Spill(TermTally& tally);

  const TermExtractor& extractor;
  std::unique_ptr<SnapshotFile> file;
  std::unique_ptr<RowSorter> sorter;
  std::mutex sorter_mutex;  // locked after the mutex of a table
  uint64_t table_bytes = 0, texts_bytes = 0;
  uint64_t documents = 0;
  std::atomic<uint64_t> pieces_of_work = 0;
  std::array<Table, kTables> tables;
};

// Adds the terms of one text, each once.
Status SnapshotBuilder::State::CountText(std::string_view text, const Cancellation& cancellation,
                                         DistinctTerms& distinct) {
  Status status;
  const auto add = [&](const TermOccurrence& term) {
    if (status) status = distinct.Add(term.text);
  };
  extractor.VisitTerms(text, add, &cancellation);
  ZHIWEN_RETURN_IF_ERROR(status);
  ZHIWEN_RETURN_IF_ERROR(cancellation.Check());
  return distinct.TakeAll(
      cancellation, [this](std::string_view term, uint64_t hash) { return CountTerm(term, hash); });
}

Status SnapshotBuilder::State::CountTerm(std::string_view term, uint64_t hash) {
  Table& table = tables[hash % kTables];
  const std::lock_guard lock(table.mutex);
  table.tally.Add(term, 1, hash / kTables);
  // A table doubles its memory when it grows.
  return table.tally.memory() > table_bytes / 2 ? Spill(table.tally) : Status();
}

Status SnapshotBuilder::State::Spill(TermTally& tally) {
  const std::lock_guard lock(sorter_mutex);
  std::string row;
  for (size_t i = 0; i < tally.size(); ++i) {
    PutRow(tally.text(i), tally.count(i), row);
    ZHIWEN_RETURN_IF_ERROR(sorter->Add(row));
  }
  tally = TermTally();
  return {};
}

SnapshotBuilder::SnapshotBuilder(std::unique_ptr<State> state) : state_(std::move(state)) {}
SnapshotBuilder::~SnapshotBuilder() = default;

Result<std::unique_ptr<SnapshotBuilder>> SnapshotBuilder::Create(FileSystem& files,
                                                                 const TermExtractor& extractor,
                                                                 const SnapshotOptions& options) {
  auto state = std::make_unique<State>(extractor);
  ZHIWEN_ASSIGN_OR_RETURN(state->file, SnapshotFile::Create(files, options));
  ZHIWEN_ASSIGN_OR_RETURN(state->sorter,
                          RowSorter::Create(state->file->scratch(), "terms",
                                            options.memory_bytes / 8 * kSorterEighths));
  state->table_bytes = options.memory_bytes / 8 * kTablesEighths / kTables;
  state->texts_bytes = options.memory_bytes / 8 * kTextsEighths;
  return std::unique_ptr<SnapshotBuilder>(new SnapshotBuilder(std::move(state)));
}

Status SnapshotBuilder::Add(Executor& executor, std::span<const std::string_view> texts,
                            const Cancellation& cancellation) {
  State& state = *state_;
  state.documents += texts.size();
  if (state.documents > kMostSnapshotDocuments) return TooManyDocuments();
  FirstError failed;
  ParallelFor(executor, texts.size(), kDocumentsAtOnce, [&](size_t begin, size_t end) {
    DistinctTerms distinct(state.file->scratch(), fmt::format("text{}", state.pieces_of_work++),
                           state.texts_bytes / executor.concurrency());
    for (size_t i = begin; i < end; ++i) {
      Status counted = state.CountText(texts[i], cancellation, distinct);
      if (counted) continue;
      failed.Keep(std::move(counted));
      return;
    }
  });
  return failed.Take();
}

Result<SnapshotSummary> SnapshotBuilder::Finish(const Cancellation& cancellation) {
  State& state = *state_;
  for (State::Table& table : state.tables) ZHIWEN_RETURN_IF_ERROR(state.Spill(table.tally));
  ZHIWEN_RETURN_IF_ERROR(state.sorter->Sort());
  std::string term;
  uint64_t count = 0;
  uint64_t rows = 0;
  while (true) {
    ZHIWEN_RETURN_IF_ERROR(LookSometimes(cancellation, rows));
    std::string_view row;
    ZHIWEN_ASSIGN_OR_RETURN(const bool more, state.sorter->Next(row));
    const SortedRow next = more ? TakeRow(row) : SortedRow();
    if (count > 0 && next.term != term) {
      ZHIWEN_RETURN_IF_ERROR(state.file->Add(term, count));
      count = 0;
    }
    if (!more) break;
    if (count == 0) term = next.term;
    count += next.count;
  }
  state.sorter.reset();
  return state.file->Publish(state.extractor.name(), state.documents);
}

Result<SnapshotSummary> MergeSnapshots(
    FileSystem& files, std::span<const std::shared_ptr<const TermSnapshot>> snapshots,
    const SnapshotOptions& options, const Cancellation& cancellation) {
  ZHIWEN_ASSIGN_OR_RETURN(const uint64_t documents, CheckMergeable(snapshots));
  ZHIWEN_ASSIGN_OR_RETURN(const auto file, SnapshotFile::Create(files, options));
  // A heap of snapshots, ordered by their next terms, with the smallest term in front.
  struct Cursor {
    const TermSnapshot* snapshot;
    size_t at;
    std::string_view term() const { return snapshot->term(at); }
  };
  const auto behind = [](const Cursor& a, const Cursor& b) { return a.term() > b.term(); };
  std::vector<Cursor> cursors;
  for (const auto& snapshot : snapshots) {
    if (snapshot->size() > 0) cursors.push_back({snapshot.get(), 0});
  }
  std::ranges::make_heap(cursors, behind);
  uint64_t terms = 0;
  while (!cursors.empty()) {
    ZHIWEN_RETURN_IF_ERROR(LookSometimes(cancellation, terms));
    const std::string_view term = cursors.front().term();
    uint64_t count = 0;
    while (!cursors.empty() && cursors.front().term() == term) {
      std::ranges::pop_heap(cursors, behind);
      Cursor& cursor = cursors.back();
      count += cursor.snapshot->documents_with(cursor.at);
      if (++cursor.at < cursor.snapshot->size()) {
        std::ranges::push_heap(cursors, behind);
      } else {
        cursors.pop_back();
      }
    }
    ZHIWEN_RETURN_IF_ERROR(file->Add(term, count));
  }
  return file->Publish(snapshots.front()->terms_name(), documents);
}

}  // namespace zhiwen
