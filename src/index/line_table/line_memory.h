#ifndef ZHIWEN_INDEX_LINE_TABLE_LINE_MEMORY_H_
#define ZHIWEN_INDEX_LINE_TABLE_LINE_MEMORY_H_

// An array of cache lines that grows without moving, one huge page at a time. Pages without needed
// lines are given back to the system. The system may take milliseconds to provide a huge page.
// Where lines are used a few at a time, upwards or downwards, another thread therefore fetches the
// next page in time, but not for the first eight pages, so that small arrays stay small.
//
// Cost        64 bytes a line, rounded up to huge pages; at most one page that is not used yet; 8
//             bytes more for each
// Threads     const functions from many threads; the others alone, and not in a child of fork()
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

  // Makes the lines from `begin` to `end` usable. Lines of new pages are zero, unless lines were
  // dropped before.
  void Use(uint64_t begin, uint64_t end);
  // Lets another thread fetch the page of a line that will be used soon, if the page is missing.
  void Fetch(uint64_t line);
  // Gives back the pages whose lines are all between `begin` and `end`, except one that is kept for
  // the next use when none is being fetched. Other pages keep their content.
  void Drop(uint64_t begin, uint64_t end);

  // Returns a line, which must be usable.
  Line* at(uint64_t line) { return chunks_[line >> kChunkShift] + (line & kInChunk); }
  const Line* at(uint64_t line) const { return chunks_[line >> kChunkShift] + (line & kInChunk); }

  // Returns the pages in the form that LineSearch takes.
  const void* const* chunks() const { return reinterpret_cast<const void* const*>(chunks_.data()); }

 private:
  static constexpr uint64_t kInChunk = (uint64_t{1} << kChunkShift) - 1;
  // How far from the front or the end of a page the next page is fetched. Tables grow downwards,
  // several lines at a time.
  static constexpr uint64_t kNearFront = (kInChunk + 1) / 2, kNearEnd = (kInChunk + 1) / 16;

  Line* NewPage();
  void FetchBeside(uint64_t begin, uint64_t end);

  std::vector<Line*> chunks_;   // null for a missing page
  Line* spare_ = nullptr;       // a dropped page
  std::future<Line*> fetched_;  // a page being fetched; valid until it is used
  uint64_t pages_ = 0;
  uint64_t end_ = 0;  // end of the lines that were ever usable
};

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_LINE_TABLE_LINE_MEMORY_H_
