#ifndef ZHIWEN_BASE_SCRATCH_ROW_SORTER_H_
#define ZHIWEN_BASE_SCRATCH_ROW_SORTER_H_

// Sorts byte strings, of which any number may be equal, by memcmp and then length, in bounded
// memory: sorted runs, merged when read.
//
// Cost        rows that fit in the memory, with about 17 bytes more each, never touch the disk.
//             Others: one write and one read; again for each level of merging, of which there is
//             one up to about 60 times the memory, or memory/256 KiB times where that is more
// Threads     one at a time
// Fails       as base/scratch/scratch.h; a failed sorter is of no further use

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
  // Uses `memory_bytes` at most (64 KiB at least), while adding and while merging, and a row more
  // for each run that has one larger than its buffer. Counts as used memory of `scratch`. Its files
  // are called `name`, with a number behind it.
  static Result<std::unique_ptr<RowSorter>> Create(Scratch& scratch, const std::string& name,
                                                   uint64_t memory_bytes);
  ~RowSorter();

  // Fails also: kExhausted for a row of 4 GiB or more.
  Status Add(std::string_view row);

  // Ends adding. Next gives the rows in order, false after the last; a view lives until the next
  // call.
  Status Sort();
  Result<bool> Next(std::string_view& row);

 private:
  struct State;
  explicit RowSorter(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_BASE_SCRATCH_ROW_SORTER_H_
