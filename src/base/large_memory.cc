#include "base/large_memory.h"

#include <sys/mman.h>

#include <cstdint>
#include <new>

namespace zhiwen {
namespace {

constexpr size_t kPageBytes = 4096;

size_t RoundUp(size_t bytes, size_t unit) { return (bytes + unit - 1) / unit * unit; }

// Acts as operator new does: the program's handler may end it, or free something so that the
// allocation is tried again.
void HandleNoMemory() {
  const std::new_handler handler = std::get_new_handler();
  if (handler == nullptr) throw std::bad_alloc();
  handler();
}

}  // namespace

void* MapLarge(size_t bytes, PageKind kind) {
  const size_t wanted = RoundUp(bytes, kPageBytes);
  const size_t mapped = wanted + kHugePageBytes;
  if (mapped < bytes) throw std::bad_alloc();
  void* memory = MAP_FAILED;
  while (memory == MAP_FAILED) {
    memory = ::mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) HandleNoMemory();
  }
  char* const begin = static_cast<char*>(memory);
  const size_t before = RoundUp(reinterpret_cast<uintptr_t>(begin), kHugePageBytes) -
                        reinterpret_cast<uintptr_t>(begin);
  if (before > 0) ::munmap(begin, before);
  if (before < kHugePageBytes) ::munmap(begin + before + wanted, kHugePageBytes - before);
#ifdef MADV_HUGEPAGE
  // This is only advice: a system without huge pages refuses, and nothing is lost.
  const size_t whole = wanted / kHugePageBytes * kHugePageBytes;
  if (kind == PageKind::kHuge && whole > 0) ::madvise(begin + before, whole, MADV_HUGEPAGE);
#endif
  return begin + before;
}

void UnmapLarge(void* memory, size_t bytes) { ::munmap(memory, RoundUp(bytes, kPageBytes)); }

void DropPages(void* memory, size_t bytes) { ::madvise(memory, bytes, MADV_DONTNEED); }

}  // namespace zhiwen
