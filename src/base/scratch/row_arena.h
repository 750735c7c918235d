#ifndef ZHIWEN_BASE_SCRATCH_ROW_ARENA_H_
#define ZHIWEN_BASE_SCRATCH_ROW_ARENA_H_

// Byte strings sorted in one block of memory: rows grow from its front, their 16-byte entries from
// its back, so that no share has to be guessed and nothing is moved.
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

// The first 8 bytes as a number that orders as they do; a shorter row is filled up with zeros.
uint64_t RowPrefix(std::string_view row);

// Writes the length of a row as LEB128; returns the end.
char* PutRowLength(uint32_t length, char* out);
// Reads what PutRowLength wrote, moving `at` behind it.
uint32_t TakeRowLength(const char*& at);
inline constexpr size_t kMaxRowLengthBytes = 5;

class RowArena {
 public:
  // A block of `bytes`, or of less where the machine does not promise as much. Fails: kExhausted
  // when it does not promise a mebibyte.
  static Result<std::unique_ptr<RowArena>> Create(uint64_t bytes);

  // Returns whether the row was added; false: the block is full. Rows are below 4 GiB.
  bool Add(std::string_view row);
  void Sort();
  void Clear();

  size_t size() const { return static_cast<size_t>(end_ - entries_); }
  // Row `index`, a view until Clear; in order after Sort.
  std::string_view Row(size_t index) const;
  // The same after its length.
  std::string_view RowWithLength(size_t index) const;
  // Bytes of the block that were ever used.
  uint64_t touched_bytes() const;

 private:
  struct Entry {
    uint64_t prefix;  // 8 bytes of the row; while sorting, those that decide
    const char* row;  // its length, then its bytes
  };

  // A byte of rows: the one `shift` bits up in the prefix that begins `depth` bytes down.
  struct SortPlace {
    int shift;
    size_t depth;
  };

  static bool Less(const Entry& a, const Entry& b);
  static void LoadPrefixes(Entry* begin, Entry* end, size_t depth);
  static void SortBelow(Entry* begin, Entry* end, SortPlace at);
  static void Distribute(Entry* begin, Entry* const (&ends)[256], int shift);
  void Prefetch(size_t index) const;

  // Gives a range of addresses back.
  struct Unmap {
    size_t bytes = 0;
    void operator()(Entry* block) const;
  };

  RowArena(std::unique_ptr<Entry, Unmap> block, size_t entries);

  std::unique_ptr<Entry, Unmap> block_;
  Entry *entries_, *end_;
  char *rows_begin_, *rows_end_;
  uint64_t touched_before_ = 0;  // Clear
};

}  // namespace zhiwen

#endif  // ZHIWEN_BASE_SCRATCH_ROW_ARENA_H_
