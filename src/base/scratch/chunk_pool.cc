#include "base/scratch/chunk_pool.h"

#include <bit>

#include "base/large_memory.h"

namespace zhiwen {
namespace {

constexpr size_t kSlabBytes = kHugePageBytes;
constexpr uint8_t kAll = 0xFF;
static_assert(kSlabBytes == 8 * kPooledChunkBytes);

// Each spool of a small run fills only a few pages of its first chunk, so the first slabs use usual
// pages.
constexpr size_t kSlabsOfUsualPages = 4;

char* SlabOf(char* chunk) { return chunk - reinterpret_cast<uintptr_t>(chunk) % kSlabBytes; }

}  // namespace

void ChunkDeleter::operator()(char* chunk) const {
  if (pool == nullptr) {
    delete[] chunk;
    return;
  }
  Chunk again(chunk, *this);
  pool->GiveBack({&again, 1});
}

ChunkPool::~ChunkPool() {
  for (const auto& [slab, taken] : slabs_) UnmapLarge(slab, kSlabBytes);
}

Chunk ChunkPool::Take(size_t bytes) {
  if (bytes != kPooledChunkBytes) return Chunk(new char[bytes]);
  const std::lock_guard lock(mutex_);
  if (with_room_.empty()) {
    const auto kind = slabs_.size() < kSlabsOfUsualPages ? PageKind::kUsual : PageKind::kHuge;
    char* const slab = static_cast<char*>(MapLarge(kSlabBytes, kind));
    slabs_.emplace(slab, Taken{0});
    with_room_.insert(slab);
  }
  char* const slab = *with_room_.begin();
  Taken& taken = slabs_.find(slab)->second;
  const int place = std::countr_one(taken);
  taken |= static_cast<Taken>(1 << place);
  if (taken == kAll) with_room_.erase(slab);
  return Chunk(slab + static_cast<size_t>(place) * kPooledChunkBytes, ChunkDeleter{this});
}

void ChunkPool::GiveBack(std::span<Chunk> chunks) {
  const std::lock_guard lock(mutex_);
  // What is left of a slab is dropped chunk by chunk; a slab without used chunks is dropped as a
  // whole.
  for (const Chunk& chunk : chunks) {
    if (chunk == nullptr || chunk.get_deleter().pool == nullptr) continue;
    char* const slab = SlabOf(chunk.get());
    const auto place = static_cast<size_t>(chunk.get() - slab) / kPooledChunkBytes;
    slabs_.find(slab)->second &= static_cast<Taken>(~(1U << place));
    with_room_.insert(slab);
  }
  for (Chunk& chunk : chunks) {
    if (chunk == nullptr) continue;
    if (chunk.get_deleter().pool == nullptr) {
      chunk.reset();
      continue;
    }
    char* const memory = chunk.release();
    const auto slab = slabs_.find(SlabOf(memory));
    if (slab == slabs_.end()) continue;  // freed with another chunk of its slab
    if (slab->second != 0) {
      DropPages(memory, kPooledChunkBytes);
      continue;
    }
    UnmapLarge(slab->first, kSlabBytes);
    with_room_.erase(slab->first);
    slabs_.erase(slab);
  }
}

}  // namespace zhiwen
