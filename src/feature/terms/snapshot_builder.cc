#include <algorithm>
#include <array>
#include <mutex>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/scratch/row_sorter.h"
#include "feature/terms/snapshot_file.h"
#include "feature/terms/term_tally.h"
#include "zhiwen/term_snapshot.h"
#include "zhiwen/terms.h"

namespace zhiwen {
namespace {

// Terms are counted in memory, and what does not fit there goes to the sorter: a row for each term
// of a full table, which is the term, a zero, and its count, most significant byte first. Equal
// terms come out of it together.
constexpr size_t kCountBytes = 4;

// Tables by the lowest bits of the hash, each with a lock of its own.
constexpr size_t kTables = 16;

// Parts of the memory; an eighth is for spools (snapshot_file.cc), and an eighth stays free.
constexpr uint64_t kTablesEighths = 3;
constexpr uint64_t kSorterEighths = 3;

constexpr size_t kDocumentsAtOnce = 4;
constexpr uint64_t kTermsBetweenLooks = 1 << 16;  // at the cancellation

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

// Returns the documents of all.
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
                      "both with the same --dict and --synonyms",
                      first.path(), snapshot->path(), first.terms_name(), snapshot->terms_name()));
    }
    if (snapshot->least_documents() > 1) {
      return Fail(ErrorCode::kConflict,
                  fmt::format("cannot merge \"{}\": terms of fewer than {} documents were left "
                              "out, so that sums would be wrong; build it without "
                              "--min-documents, and give that when merging",
                              snapshot->path(), snapshot->least_documents()));
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

  Status CountText(std::string_view text, TermTally& distinct);
  Status CountTerm(std::string_view term, uint64_t hash);
  Status Spill(TermTally& tally);

  const TermExtractor& extractor;
  std::unique_ptr<SnapshotFile> file;
  std::unique_ptr<RowSorter> sorter;
  std::mutex sorter_mutex;  // taken after that of a table
  uint64_t table_bytes = 0;
  uint64_t documents = 0;
  std::array<Table, kTables> tables;
};

// Adds the terms of one text, each once.
Status SnapshotBuilder::State::CountText(std::string_view text, TermTally& distinct) {
  distinct.Clear();
  extractor.VisitTerms(text, [&](const TermOccurrence& term) { distinct.Add(term.text, 1); });
  for (size_t i = 0; i < distinct.size(); ++i) {
    ZHIWEN_RETURN_IF_ERROR(CountTerm(distinct.text(i), distinct.hash(i)));
  }
  return {};
}

Status SnapshotBuilder::State::CountTerm(std::string_view term, uint64_t hash) {
  Table& table = tables[hash % kTables];
  const std::lock_guard lock(table.mutex);
  table.tally.Add(term, 1, hash / kTables);
  // A table doubles what it has when it grows.
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
  return std::unique_ptr<SnapshotBuilder>(new SnapshotBuilder(std::move(state)));
}

Status SnapshotBuilder::Add(Executor& executor, std::span<const std::string_view> texts) {
  State& state = *state_;
  state.documents += texts.size();
  if (state.documents > kMostSnapshotDocuments) return TooManyDocuments();
  std::mutex mutex;
  Status failed;
  ParallelFor(executor, texts.size(), kDocumentsAtOnce, [&](size_t begin, size_t end) {
    TermTally distinct;
    for (size_t i = begin; i < end; ++i) {
      Status counted = state.CountText(texts[i], distinct);
      if (counted) continue;
      const std::lock_guard lock(mutex);
      failed = std::move(counted);
      return;
    }
  });
  return failed;
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
  // A heap of the snapshots by their next terms, the smallest in front.
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
