#ifndef ZHIWEN_INDEX_LINE_TABLE_LINE_MEMORY_H_
#define ZHIWEN_INDEX_LINE_TABLE_LINE_MEMORY_H_

// An array of cache lines that grows without moving, a huge page at a time. Pages of which nothing
// is needed are given back. The system may take milliseconds to give a huge page: where lines are
// used a few at a time, upwards or downwards, another thread fetches the next one in time; not so
// for the first eight, so that small arrays stay small.
//
// Cost        64 bytes a line, rounded up to huge pages; at most one page that is not used yet; 8
//             bytes more for each
// Threads     const functions from many threads; others alone, and not in a child of fork()
// Fails       std::bad_alloc, as operator new does

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <future>
#include <vector>

#include "kernels/kernels.h"

namespace zhiwen {

struct alignas(kLineBytes) Line {
  uint8_t bytes[kLineBytes];

  uint32_t value(size_t slot) const {
    uint32_t value;
    std::memcpy(&value, bytes + slot * sizeof(value), sizeof(value));
    return value;
  }
};

class LineMemory {
 public:
  LineMemory() = default;
  ~LineMemory();
  LineMemory(LineMemory&& other) noexcept;
  LineMemory& operator=(LineMemory&& other) noexcept;

  uint64_t bytes() const;

  // Makes the lines from `begin` to `end` usable. Those of new pages are zeros, unless something
  // was dropped before.
  void Use(uint64_t begin, uint64_t end);
  // Has another thread fetch the page of a line that is to be used soon, where it is not there.
  void Fetch(uint64_t line);
  // Gives back the pages whose lines all lie between `begin` and `end`, of which one is kept for
  // the next use where none is fetched; others keep their content.
  void Drop(uint64_t begin, uint64_t end);

  // A line that is usable.
  Line* at(uint64_t line) { return chunks_[line >> kChunkShift] + (line & kInChunk); }
  const Line* at(uint64_t line) const { return chunks_[line >> kChunkShift] + (line & kInChunk); }

  // As LineSearch has them.
  const void* const* chunks() const { return reinterpret_cast<const void* const*>(chunks_.data()); }

 private:
  static constexpr uint64_t kInChunk = (uint64_t{1} << kChunkShift) - 1;
  // How far from the front of a page, and from its end, the next one is fetched. Tables grow
  // downwards several lines at a time.
  static constexpr uint64_t kNearFront = (kInChunk + 1) / 2, kNearEnd = (kInChunk + 1) / 16;

  Line* NewPage();
  void FetchBeside(uint64_t begin, uint64_t end);

  std::vector<Line*> chunks_;   // null without a page
  Line* spare_ = nullptr;       // a page that was dropped
  std::future<Line*> fetched_;  // one that is fetched; valid until it is used
  uint64_t pages_ = 0;
  uint64_t end_ = 0;  // of the lines that were ever usable
};

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_LINE_TABLE_LINE_MEMORY_H_
