#ifndef ZHIWEN_BASE_SCRATCH_ROW_ARENA_H_
#define ZHIWEN_BASE_SCRATCH_ROW_ARENA_H_

// Sorts byte strings in one block of memory. Rows grow from its front and their 16-byte entries
// from its back, so that no division of the block has to be guessed and nothing is moved.
//
// Out         rows by memcmp, then length
// Cost        a row: its bytes, 1 to 5 for the length, 16. Sorting: in place, radix by the first
//             32 bytes (American flag sort, McIlroy, Bostic and McIlroy 1993), then comparisons.
//             Memory that was never reached is not taken from the machine: a block larger than it
//             is a range of addresses
// Threads     one at a time

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "zhiwen/result.h"

namespace zhiwen {

// Returns the first 8 bytes as a number with the same order. A shorter row is padded with zeros.
uint64_t RowPrefix(std::string_view row);

// Writes the length of a row as LEB128; returns the end.
char* PutRowLength(uint32_t length, char* out);
// Reads a length that PutRowLength wrote, and moves `at` after it.
uint32_t TakeRowLength(const char*& at);
inline constexpr size_t kMaxRowLengthBytes = 5;

class RowArena {
 public:
  // Allocates a block of `bytes`, or of less where the machine does not grant as much. Fails:
  // kExhausted when it does not grant a mebibyte.
  static Result<std::unique_ptr<RowArena>> Create(uint64_t bytes);

  // Adds a row of less than 4 GiB. Returns false when the block is full.
  bool Add(std::string_view row);
  void Sort();
  void Clear();

  size_t size() const { return static_cast<size_t>(end_ - entries_); }
  // Returns row `index`, as a view valid until Clear. After Sort, rows are in order.
  std::string_view Row(size_t index) const;
  // Returns the row after its encoded length.
  std::string_view RowWithLength(size_t index) const;
  // Returns the number of bytes of the block that were ever used.
  uint64_t touched_bytes() const;

 private:
  struct Entry {
    // The first 8 bytes of the row; while sorting, the 8 bytes being compared.
    uint64_t prefix;
    const char* row;  // its length, then its bytes
  };

  // A byte of rows: the one `shift` bits up in the prefix that begins `depth` bytes into the row.
  struct SortPlace {
    int shift;
    size_t depth;
  };

  static bool Less(const Entry& a, const Entry& b);
  static void LoadPrefixes(Entry* begin, Entry* end, size_t depth);
  static void SortBelow(Entry* begin, Entry* end, SortPlace at);
  static void Distribute(Entry* begin, Entry* const (&ends)[256], int shift);
  void Prefetch(size_t index) const;

  // Unmaps a range of addresses.
  struct Unmap {
    size_t bytes = 0;
    void operator()(Entry* block) const;
  };

  RowArena(std::unique_ptr<Entry, Unmap> block, size_t entries);

  std::unique_ptr<Entry, Unmap> block_;
  Entry *entries_, *end_;
  char *rows_begin_, *rows_end_;
  uint64_t touched_before_ = 0;  // before the last Clear
};

}  // namespace zhiwen

#endif  // ZHIWEN_BASE_SCRATCH_ROW_ARENA_H_
