#ifndef ZHIWEN_BASE_SCRATCH_PARTITIONED_SPOOL_H_
#define ZHIWEN_BASE_SCRATCH_PARTITIONED_SPOOL_H_

// Rows that are written in any order of partitions and read one partition at a time, in the order
// they were appended. One file for all partitions. Guarantees, threads and errors:
// base/scratch/scratch.h.
//
// Cost        memory: a buffer for each partition that is not empty, 16 bytes for each buffer on
//             disk. Small buffers make many reads: 4 KiB at least where the disk is one that turns

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/scratch/scratch.h"
#include "zhiwen/result.h"

namespace zhiwen {

class PartitionedSpool {
 public:
  // Each partition has `buffer_bytes` of memory before its rows go to the file.
  static Result<std::unique_ptr<PartitionedSpool>> Create(Scratch& scratch, const std::string& name,
                                                          uint32_t partitions, size_t buffer_bytes);
  // Opens a spool that an earlier process saved, and drops the rows appended after the save.
  // `buffer_bytes` may differ. Fails also: kNotFound, kUnreadable when the file does not match
  // `mark`.
  static Result<std::unique_ptr<PartitionedSpool>> Reopen(Scratch& scratch, const std::string& name,
                                                          uint32_t partitions, size_t buffer_bytes,
                                                          const SpoolMark& mark);
  // Removes the file, unless Keep was called.
  ~PartitionedSpool();

  // After a failure nothing can be appended. Rows accepted before can be read.
  Status Append(uint32_t partition, std::string_view row);
  template <typename Row>
  Status AppendRow(uint32_t partition, const Row& row) {
    static_assert(std::is_trivially_copyable_v<Row>);
    return Append(partition, {reinterpret_cast<const char*>(&row), sizeof(Row)});
  }
  uint32_t partitions() const;
  uint64_t size(uint32_t partition) const;

  // Makes everything appended so far survive the process (not a power cut), and returns the mark
  // that describes it. These rows and all later ones go to the file, whatever the limit.
  Result<SpoolMark> Save();
  // Leaves the file for a later process when this object is destroyed.
  void Keep();

  // Reads all rows of a partition into `out`, whose storage is reused. On failure `out` is
  // unspecified.
  template <typename Allocator>
  Status Read(uint32_t partition, std::vector<char, Allocator>& out) const {
    out.clear();  // avoids copying when `out` grows
    out.resize(static_cast<size_t>(size(partition)));
    return ReadInto(partition, out);
  }

 private:
  Status ReadInto(uint32_t partition, std::span<char> out) const;
  explicit PartitionedSpool(std::unique_ptr<ScratchFile> file);
  std::unique_ptr<ScratchFile> file_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_BASE_SCRATCH_PARTITIONED_SPOOL_H_
