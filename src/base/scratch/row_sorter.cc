#include "base/scratch/row_sorter.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <limits>
#include <utility>
#include <vector>

#include "base/scratch/row_arena.h"
#include "base/scratch/run_merger.h"
#include "base/scratch/scratch_file.h"

namespace zhiwen {
namespace {

constexpr uint64_t kLeastMemory = uint64_t{64} << 10;
constexpr uint64_t kLargestChunk = uint64_t{256} << 10;
// The number of chunks used where memory is too small for larger ones.
constexpr uint64_t kChunksInMemory = 64;
// Memory is counted in steps of this size, ahead of its use.
constexpr uint64_t kClaimStep = uint64_t{1} << 20;

}  // namespace

struct RowSorter::State {
  State(Scratch& where, const std::string& file_name, uint64_t memory_bytes)
      : scratch(where),
        name(file_name),
        memory(std::max(memory_bytes, kLeastMemory)),
        chunk_bytes(std::clamp<uint64_t>(memory / kChunksInMemory, 1, kLargestChunk)),
        claim(where) {}

  // Returns how many runs can be merged: each needs a chunk in memory, and the output needs one.
  size_t fan_in() const { return static_cast<size_t>(memory / (chunk_bytes + 256)) - 1; }

  Result<std::shared_ptr<ScratchFile>> NewFile();
  Status Count();
  Status SpillArena();
  Status SpillRow(std::string_view row);
  Status MergeSome(size_t count);

  Scratch& scratch;
  const std::string name;
  const uint64_t memory, chunk_bytes;
  MemoryClaim claim;
  int files = 0;
  std::unique_ptr<RowArena> arena;       // null while merging
  size_t next_row = 0;                   // index of the next row of the arena
  std::shared_ptr<ScratchFile> spilled;  // file with the runs of the arena
  std::deque<SortedRun> runs;
  std::unique_ptr<RunMerger> merger;
  bool sorted = false;
};

Result<std::shared_ptr<ScratchFile>> RowSorter::State::NewFile() {
  const ScratchShape shape{.partitions = 1, .chunk_bytes = static_cast<size_t>(chunk_bytes)};
  ZHIWEN_ASSIGN_OR_RETURN(std::shared_ptr<ScratchFile> file,
                          ScratchFile::Create(scratch, fmt::format("{}.{}", name, files++), shape));
  ZHIWEN_RETURN_IF_ERROR(file->StayInFile());
  return file;
}

// Counts the memory that the arena has reached.
Status RowSorter::State::Count() {
  const uint64_t touched = arena->touched_bytes();
  if (touched <= claim.bytes()) return {};
  return claim.Set(std::min(memory - chunk_bytes, touched + kClaimStep));
}

Status RowSorter::State::SpillArena() {
  if (arena->size() == 0) return {};
  if (spilled == nullptr) {
    ZHIWEN_ASSIGN_OR_RETURN(spilled, NewFile());
  }
  arena->Sort();
  const uint64_t begin = spilled->size(0);
  for (size_t i = 0; i < arena->size(); ++i) {
    ZHIWEN_RETURN_IF_ERROR(spilled->Append(0, arena->RowWithLength(i)));
  }
  runs.push_back({.file = spilled, .begin = begin, .end = spilled->size(0)});
  arena->Clear();
  return {};
}

// Spills a row that the arena cannot hold, as a run of its own.
Status RowSorter::State::SpillRow(std::string_view row) {
  if (spilled == nullptr) {
    ZHIWEN_ASSIGN_OR_RETURN(spilled, NewFile());
  }
  const uint64_t begin = spilled->size(0);
  char length[kMaxRowLengthBytes];
  const char* const end = PutRowLength(static_cast<uint32_t>(row.size()), length);
  ZHIWEN_RETURN_IF_ERROR(spilled->Append(0, {length, static_cast<size_t>(end - length)}));
  ZHIWEN_RETURN_IF_ERROR(spilled->Append(0, row));
  runs.push_back({.file = spilled, .begin = begin, .end = spilled->size(0)});
  return {};
}

// Merges the `count` oldest runs, which are the smallest, to one run.
Status RowSorter::State::MergeSome(size_t count) {
  std::vector<SortedRun> oldest(runs.begin(), runs.begin() + static_cast<ptrdiff_t>(count));
  runs.erase(runs.begin(), runs.begin() + static_cast<ptrdiff_t>(count));
  ZHIWEN_ASSIGN_OR_RETURN(const std::unique_ptr<RunMerger> merging, RunMerger::Create(oldest));
  ZHIWEN_ASSIGN_OR_RETURN(const std::shared_ptr<ScratchFile> merged, NewFile());
  std::string_view row;
  while (true) {
    ZHIWEN_ASSIGN_OR_RETURN(const bool more, merging->Next(row));
    if (!more) break;
    char length[kMaxRowLengthBytes];
    const char* const end = PutRowLength(static_cast<uint32_t>(row.size()), length);
    ZHIWEN_RETURN_IF_ERROR(merged->Append(0, {length, static_cast<size_t>(end - length)}));
    ZHIWEN_RETURN_IF_ERROR(merged->Append(0, row));
  }
  ZHIWEN_RETURN_IF_ERROR(merged->Finish());
  runs.push_back({.file = merged, .begin = 0, .end = merged->size(0)});
  return {};
}

RowSorter::RowSorter(std::unique_ptr<State> state) : state_(std::move(state)) {}
RowSorter::~RowSorter() = default;

Result<std::unique_ptr<RowSorter>> RowSorter::Create(Scratch& scratch, const std::string& name,
                                                     uint64_t memory_bytes) {
  auto state = std::make_unique<State>(scratch, name, memory_bytes);
  ZHIWEN_ASSIGN_OR_RETURN(state->arena, RowArena::Create(state->memory - state->chunk_bytes));
  return std::unique_ptr<RowSorter>(new RowSorter(std::move(state)));
}

Status RowSorter::Add(std::string_view row) {
  State& state = *state_;
  if (state.sorted) return Fail(ErrorCode::kInternal, "cannot add a row to a finished sort");
  if (row.size() > std::numeric_limits<uint32_t>::max()) {
    return Fail(ErrorCode::kExhausted,
                fmt::format("cannot sort a row of {} bytes: the limit is 4 GiB", row.size()));
  }
  if (!state.arena->Add(row)) {
    ZHIWEN_RETURN_IF_ERROR(state.SpillArena());
    if (!state.arena->Add(row)) return state.SpillRow(row);
  }
  return state.Count();
}

Status RowSorter::Sort() {
  State& state = *state_;
  state.sorted = true;
  if (state.runs.empty()) {
    state.arena->Sort();
    return {};
  }
  ZHIWEN_RETURN_IF_ERROR(state.SpillArena());
  state.arena.reset();
  ZHIWEN_RETURN_IF_ERROR(state.spilled->Finish());
  state.spilled.reset();
  ZHIWEN_RETURN_IF_ERROR(state.claim.Set(state.memory));
  while (state.runs.size() > state.fan_in()) {
    const size_t surplus = state.runs.size() - state.fan_in() + 1;
    ZHIWEN_RETURN_IF_ERROR(state.MergeSome(std::min(state.fan_in(), surplus)));
  }
  const std::vector<SortedRun> rest(state.runs.begin(), state.runs.end());
  state.runs.clear();  // a file is removed with its last run
  ZHIWEN_RETURN_IF_ERROR(state.claim.Set(rest.size() * (state.chunk_bytes + kFrameHeaderBytes)));
  ZHIWEN_ASSIGN_OR_RETURN(state.merger, RunMerger::Create(rest));
  return {};
}

Result<bool> RowSorter::Next(std::string_view& row) {
  State& state = *state_;
  if (!state.sorted) return Fail(ErrorCode::kInternal, "cannot read rows before they are sorted");
  if (state.merger != nullptr) return state.merger->Next(row);
  if (state.next_row == state.arena->size()) return false;
  row = state.arena->Row(state.next_row++);
  return true;
}

}  // namespace zhiwen
