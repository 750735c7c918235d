#ifndef ZHIWEN_BASE_SCRATCH_SCRATCH_H_
#define ZHIWEN_BASE_SCRATCH_SCRATCH_H_

// Stores data of a run that may not fit in memory: byte sequences (Spool), byte sequences by
// partition (PartitionedSpool), external sorting (RowSorter). The data stay in memory while all
// objects of a Scratch together are below its limit, and otherwise go to files of one folder;
// readers do not notice.
//
// Guarantees  what was appended comes back, or the read fails: frames on disk carry a checksum.
//             A saved spool can be opened by a later process and continued
// Cost        one write and one read of what does not fit; a frame (256 KiB) of memory a spool, a
//             smaller one for each partition
// Threads     appends: one at a time for each object. Reads after the last append: any number.
//             Objects of one Scratch may be used by different threads at once
// Fails       kExhausted: the disk is full, naming the file; kUnreadable: a frame is damaged or
//             gone
// Persisted   scratch frames, version 1 (docs/formats/scratch.md); only a run reads its own

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "base/scratch/chunk_pool.h"
#include "zhiwen/file_system.h"
#include "zhiwen/result.h"

namespace zhiwen {

class ScratchFile;

// A scratch folder and the memory that its objects share. It must outlive them.
class Scratch {
 public:
  // Makes `folder` if it does not exist. With a `memory_limit` of 0 everything goes to files.
  static Result<std::unique_ptr<Scratch>> Create(FileSystem& files, std::string folder,
                                                 uint64_t memory_limit);

  // Changes how much may stay in memory from now on. The excess goes to files when an object of
  // this Scratch next needs a buffer.
  void set_memory_limit(uint64_t bytes) { memory_limit_ = bytes; }

  // Returns the memory in use, which includes reserved buffers. It exceeds the limit when the
  // buffers alone do.
  uint64_t memory_used() const { return memory_used_; }
  uint64_t disk_used() const { return disk_used_; }        // at present
  uint64_t disk_written() const { return disk_written_; }  // in total, by this process

  FileSystem& files() { return files_; }
  const std::string& folder() const { return folder_; }

 private:
  friend class ScratchFile;
  friend class MappedSpool;
  friend class MemoryClaim;
  Scratch(FileSystem& files, std::string folder, uint64_t limit)
      : files_(files), folder_(std::move(folder)), memory_limit_(limit) {}

  // A file grew by `now` bytes, of which this process wrote `written`.
  void CountDisk(int64_t now, uint64_t written) {
    disk_used_ += static_cast<uint64_t>(now);
    disk_written_ += written;
  }

  // Sends the largest holders of memory to their files until the rest is below the limit, whichever
  // object asks. An object that is never appended to again must not keep memory from the others.
  Status MakeRoom();

  FileSystem& files_;
  const std::string folder_;
  ChunkPool chunks_;
  std::atomic<uint64_t> memory_limit_, memory_used_ = 0, disk_used_ = 0, disk_written_ = 0;
  std::atomic<uint64_t> spillable_ = 0;  // the part of memory_used_ that MakeRoom can free
  std::mutex mutex_;                     // taken before the mutex of a ScratchFile
  std::vector<ScratchFile*> members_;
};

// Counts memory outside the spools as used, so that the spools leave room for it.
class MemoryClaim {
 public:
  explicit MemoryClaim(Scratch& scratch) : scratch_(scratch) {}
  ~MemoryClaim() { scratch_.memory_used_ -= bytes_; }
  MemoryClaim(const MemoryClaim&) = delete;
  MemoryClaim& operator=(const MemoryClaim&) = delete;

  // Sets the claim to `bytes`, even when spools cannot make that much room. Fails when a spool
  // cannot be written.
  Status Set(uint64_t bytes);
  uint64_t bytes() const { return bytes_; }

 private:
  Scratch& scratch_;
  uint64_t bytes_ = 0;
};

// Describes where a saved spool ends, with everything that a later process needs to open it.
struct SpoolMark {
  uint64_t bytes = 0;       // appended
  uint64_t file_bytes = 0;  // size of its file

  friend bool operator==(const SpoolMark&, const SpoolMark&) = default;
};

}  // namespace zhiwen

#endif  // ZHIWEN_BASE_SCRATCH_SCRATCH_H_
