#ifndef ZHIWEN_BASE_SCRATCH_CHUNK_POOL_H_
#define ZHIWEN_BASE_SCRATCH_CHUNK_POOL_H_

// Allocates the chunks of all spools of a Scratch. Chunks of the usual size are cut out of huge
// pages, eight of each; others come from operator new.
//
// Guarantees  memory of a released chunk leaves the process at once
// Cost        an eighth of the cost of touching a chunk of its own
// Threads     any number

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <span>

namespace zhiwen {

class ChunkPool;

struct ChunkDeleter {
  ChunkPool* pool = nullptr;  // null when the chunk is from operator new
  void operator()(char* chunk) const;
};
using Chunk = std::unique_ptr<char[], ChunkDeleter>;

inline constexpr size_t kPooledChunkBytes = size_t{256} << 10;

// The pool must outlive its chunks.
class ChunkPool {
 public:
  ChunkPool() = default;
  ~ChunkPool();
  ChunkPool(const ChunkPool&) = delete;
  ChunkPool& operator=(const ChunkPool&) = delete;

  Chunk Take(size_t bytes);
  // Releases all `chunks`, which is cheaper than releasing them one by one.
  void GiveBack(std::span<Chunk> chunks);

 private:
  friend struct ChunkDeleter;
  using Taken = uint8_t;  // one bit for each chunk of a slab

  std::mutex mutex_;
  std::map<char*, Taken> slabs_;
  std::set<char*> with_room_;  // slabs of slabs_ with free chunks
};

}  // namespace zhiwen

#endif  // ZHIWEN_BASE_SCRATCH_CHUNK_POOL_H_
