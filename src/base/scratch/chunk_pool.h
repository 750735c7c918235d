#ifndef ZHIWEN_BASE_SCRATCH_CHUNK_POOL_H_
#define ZHIWEN_BASE_SCRATCH_CHUNK_POOL_H_

// The chunks of all spools of a Scratch. Those of the usual size are cut out of huge pages, eight
// of each; others come from operator new.
//
// Guarantees  memory of a chunk that was given back leaves the process at once
// Cost        an eighth of what a chunk of its own would cost to touch
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
  ChunkPool* pool = nullptr;  // none: from operator new
  void operator()(char* chunk) const;
};
using Chunk = std::unique_ptr<char[], ChunkDeleter>;

inline constexpr size_t kPooledChunkBytes = size_t{256} << 10;

// Outlives its chunks.
class ChunkPool {
 public:
  ChunkPool() = default;
  ~ChunkPool();
  ChunkPool(const ChunkPool&) = delete;
  ChunkPool& operator=(const ChunkPool&) = delete;

  Chunk Take(size_t bytes);
  // Leaves nothing in `chunks`. Cheaper than one by one.
  void GiveBack(std::span<Chunk> chunks);

 private:
  friend struct ChunkDeleter;
  using Taken = uint8_t;  // a bit a chunk of a slab

  std::mutex mutex_;
  std::map<char*, Taken> slabs_;
  std::set<char*> with_room_;  // of slabs_
};

}  // namespace zhiwen

#endif  // ZHIWEN_BASE_SCRATCH_CHUNK_POOL_H_
