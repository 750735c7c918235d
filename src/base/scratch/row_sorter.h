#ifndef ZHIWEN_BASE_SCRATCH_ROW_SORTER_H_
#define ZHIWEN_BASE_SCRATCH_ROW_SORTER_H_

// Sorts byte strings by memcmp and then length in bounded memory, by sorted runs that are merged
// when they are read. Any number of strings may be equal.
//
// Cost        rows that fit in the memory, with about 17 bytes more each, never touch the disk.
//             Others cost one write and one read, and one more of each for every level of merging.
//             There is one level up to about 60 times the memory, or memory/256 KiB times where
//             that is more
// Threads     one at a time
// Fails       as base/scratch/scratch.h; a sorter that failed cannot be used any more

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/scratch/scratch.h"
#include "zhiwen/result.h"

namespace zhiwen {

class RowSorter {
 public:
  // Uses at most `memory_bytes` (at least 64 KiB), both while adding and while merging, and
  // additionally one row for each run with a row larger than its buffer. This counts as used memory
  // of `scratch`. Files are called `name` with a number appended.
  static Result<std::unique_ptr<RowSorter>> Create(Scratch& scratch, const std::string& name,
                                                   uint64_t memory_bytes);
  ~RowSorter();

  // Fails also: kExhausted for a row of 4 GiB or more.
  Status Add(std::string_view row);

  // Ends adding. Afterwards Next returns the rows in order, and false after the last; a row is
  // valid until the next call.
  Status Sort();
  Result<bool> Next(std::string_view& row);

 private:
  struct State;
  explicit RowSorter(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_BASE_SCRATCH_ROW_SORTER_H_
