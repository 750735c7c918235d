#ifndef ZHIWEN_BASE_SCRATCH_SCRATCH_FILE_H_
#define ZHIWEN_BASE_SCRATCH_SCRATCH_FILE_H_

// The storage of Spool, PartitionedSpool and RowSorter: byte sequences, one for each partition,
// appended in any order of partitions.
//
// The bytes of a partition are, front to back, in frames of the file, in full chunks in memory, and
// in one chunk that is being filled. Chunks become frames when the Scratch is above its limit
// (Spill) or when everything must survive the process (Save). From then on every full chunk goes to
// the file at once.
//
// Guarantees  after a failed write nothing more is written and every later call that would write
//             fails with the same error; what was accepted before can still be read
// Cost        memory: a chunk a partition that is not empty, 16 bytes a frame
// Threads     Append, Save: one at a time. Reads: any number, not beside Append or Save. Spill: at
//             any time, beside each of them

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/scratch/chunk_pool.h"
#include "base/scratch/scratch.h"
#include "base/scratch/scratch_frame.h"
#include "zhiwen/file_system.h"
#include "zhiwen/result.h"

namespace zhiwen {

struct ScratchShape {
  uint32_t partitions = 1;
  size_t chunk_bytes = kPooledChunkBytes - kFrameHeaderBytes;  // at least 1, below 4 GiB
};

// A part of a partition in a reader's buffer.
struct ScratchPiece {
  uint64_t begin = 0;  // offset in the partition
  std::string_view bytes;
};

class ScratchFile {
 public:
  static Result<std::unique_ptr<ScratchFile>> Create(Scratch& scratch, std::string_view name,
                                                     const ScratchShape& shape);
  // Fails: kUnreadable when the file is shorter than `mark` says, or its frames do not match `mark`
  // and `shape`; the file is kept.
  static Result<std::unique_ptr<ScratchFile>> Reopen(Scratch& scratch, std::string_view name,
                                                     const ScratchShape& shape,
                                                     const SpoolMark& mark);
  // Removes the file, unless kept.
  ~ScratchFile();
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;

  Status Append(uint32_t partition, std::string_view bytes);
  Result<SpoolMark> Save();
  // Keeps no full chunk in memory from now on, whatever the limit.
  Status StayInFile() { return Spill(); }
  // Writes everything to the file and frees the chunks; appending may go on.
  Status Finish();
  void Keep() { keep_ = true; }

  const std::string& path() const { return path_; }
  uint32_t partitions() const { return static_cast<uint32_t>(partitions_.size()); }
  uint64_t size(uint32_t partition) const {
    return partitions_[partition].sealed_bytes + FilledOf(partitions_[partition]);
  }

  // Reads exactly out.size() bytes. Fails also: kUnreadable when fewer exist.
  Status ReadAt(uint32_t partition, uint64_t offset, std::span<char> out) const;

  // Reads the frame or chunk that contains byte `offset`, which must exist, into `buffer`, which
  // grows if necessary. The returned piece is a view of `buffer`.
  Result<ScratchPiece> ReadPiece(uint32_t partition, uint64_t offset,
                                 std::vector<char>& buffer) const;

  // Used by Scratch: the memory of full chunks, and the function that frees it.
  uint64_t spillable() const { return spillable_; }
  Status Spill();

 private:
  struct Frame {
    uint64_t offset = 0;  // offset of the header in the file
    uint64_t begin = 0;   // offset in the partition
  };

  struct Partition {
    // Used only by the thread that appends.
    char* next = nullptr;  // where the next byte goes in `active`
    size_t room = 0;       // bytes left there
    Chunk active;
    uint64_t sealed_bytes = 0;  // bytes before `active`
    // Guarded by mutex_.
    uint64_t framed_bytes = 0;  // bytes in the file
    std::vector<Frame> frames;
    std::vector<Chunk> chunks;  // full ones, after the frames; each with room for a header
  };

  ScratchFile(Scratch& scratch, std::string_view name, const ScratchShape& shape);

  size_t FilledOf(const Partition& partition) const {
    return partition.active == nullptr ? 0 : chunk_bytes_ - partition.room;
  }
  void Charge(uint64_t bytes);
  void Discharge(uint64_t bytes);
  size_t chunk_size() const { return kFrameHeaderBytes + chunk_bytes_; }
  void NewActive(Partition& partition);
  Status AppendAcross(uint32_t number, std::string_view bytes);
  Status Seal(uint32_t number);
  Status SpillLocked();  // called under mutex_, as the next functions are
  Status WriteChunks(uint32_t number);
  Status WriteFrame(uint32_t number, char* chunk, size_t length);
  Status OpenWriter();
  Status IndexFrames(const SpoolMark& mark);
  template <typename Item>
  void PushCharged(std::vector<Item>& items, Item item);

  Result<const ReadableFile*> Reader() const;
  // Reads frame `index` with its header into `buffer`. Returns a view of its bytes.
  Result<std::string_view> ReadFrame(uint32_t number, size_t index,
                                     std::vector<char>& buffer) const;
  uint64_t EndOf(const Partition& partition, size_t index) const;
  static size_t FrameAt(const Partition& partition, uint64_t offset);
  // Returns the bytes from `offset` on that are contiguous in memory.
  std::string_view MemoryAt(const Partition& partition, uint64_t offset) const;
  Status CheckRange(uint32_t number, uint64_t offset, uint64_t size) const;

  Scratch& scratch_;
  const std::string path_;
  const size_t chunk_bytes_;
  bool keep_ = false;
  std::vector<Partition> partitions_;
  std::atomic<uint64_t> spillable_ = 0;
  std::atomic<uint64_t> charged_ = 0;  // our part of scratch_.memory_used_

  mutable std::shared_mutex mutex_;
  bool in_file_ = false;
  bool created_ = false;  // the file exists and is ours
  uint64_t file_bytes_ = 0;
  std::unique_ptr<WritableFile> writer_;
  std::optional<Error> failure_;  // the first failed write
  mutable std::mutex reader_mutex_;
  mutable std::unique_ptr<ReadableFile> reader_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_BASE_SCRATCH_SCRATCH_FILE_H_
