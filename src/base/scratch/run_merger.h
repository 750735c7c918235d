#ifndef ZHIWEN_BASE_SCRATCH_RUN_MERGER_H_
#define ZHIWEN_BASE_SCRATCH_RUN_MERGER_H_

// Merges sorted runs of rows in scratch files by a tree of losers (Knuth, The Art of Computer
// Programming 3, 5.4.1).
//
// Cost        memory: a chunk of its file for each run, and its longest row where that crosses a
//             chunk; log2(runs) comparisons a row
// Threads     one at a time

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/scratch/scratch_file.h"
#include "zhiwen/result.h"

namespace zhiwen {

// A run: rows with their lengths (row_arena.h) in partition 0 of a file.
struct SortedRun {
  std::shared_ptr<const ScratchFile> file;
  uint64_t begin = 0, end = 0;
};

class RunReader {
 public:
  explicit RunReader(SortedRun run) : run_(std::move(run)), offset_(run_.begin) {}

  // Returns the next row, valid until the next call; false at the end.
  Result<bool> Next(std::string_view& row);

 private:
  Status Fill();
  Result<uint32_t> TakeLength();
  Status TakeLongRow(size_t length);

  SortedRun run_;
  uint64_t offset_;  // offset of end_ in the file
  std::vector<char> buffer_;
  const char *at_ = nullptr, *end_ = nullptr;
  std::string long_row_;
};

class RunMerger {
 public:
  static Result<std::unique_ptr<RunMerger>> Create(std::span<const SortedRun> runs);

  // Returns the next row of all runs, valid until the next call; false at the end.
  Result<bool> Next(std::string_view& row);

 private:
  struct Source {
    uint64_t prefix = 0;
    std::string_view row;
    std::unique_ptr<RunReader> reader;  // null when the run has ended
  };

  RunMerger() = default;
  bool Before(size_t a, size_t b) const;
  size_t Build(size_t node);
  Status Advance(size_t source);

  std::vector<Source> sources_;
  std::vector<size_t> losers_;  // loser of the match at each inner node, 1 to sources - 1
  size_t winner_ = 0;
  bool started_ = false;
};

}  // namespace zhiwen

#endif  // ZHIWEN_BASE_SCRATCH_RUN_MERGER_H_
