#ifndef ZHIWEN_INDEX_DURABLE_ROW_BITMAP_H_
#define ZHIWEN_INDEX_DURABLE_ROW_BITMAP_H_

// Records which rows of a segment are deleted. A new file replaces the previous one.
//
// Cost        a bit a row
// Threads     const functions from many threads; the others alone
// Fails       Read: kNotFound, kUnreadable for damage and for another file, kConflict for another
//             version; Write: as the disk does
// Persisted   docs/formats/index_folder.md

#include <cstdint>
#include <string>
#include <vector>

#include "zhiwen/file_system.h"
#include "zhiwen/result.h"

namespace zhiwen {

class RowBitmap {
 public:
  explicit RowBitmap(uint64_t rows = 0) : rows_(rows) {}

  // Reads the bitmap of a segment with this many rows. `number` distinguishes the file from others.
  static Result<RowBitmap> Read(FileSystem& files, const std::string& path, uint64_t number,
                                uint64_t rows);
  // Writes a file and syncs it, but not its folder.
  Status Write(FileSystem& files, const std::string& path, uint64_t number) const;

  // Returns the number of deleted rows.
  uint64_t count() const { return count_; }
  bool Has(uint64_t row) const { return count_ != 0 && (words_[row / 64] >> row % 64 & 1) != 0; }
  // Returns whether the row was not set before.
  bool Set(uint64_t row) {
    if (words_.empty()) words_.resize((rows_ + 63) / 64);
    uint64_t& word = words_[row / 64];
    const uint64_t bit = uint64_t{1} << row % 64;
    if ((word & bit) != 0) return false;
    word |= bit;
    ++count_;
    return true;
  }

  // Calls visit(row) for every row that is set here and not in `before`, ascending.
  template <typename Visit>
  void VisitSince(const RowBitmap& before, const Visit& visit) const {
    for (size_t i = 0; i < words_.size(); ++i) {
      const uint64_t old = before.words_.empty() ? 0 : before.words_[i];
      for (uint64_t word = words_[i] & ~old; word != 0; word &= word - 1) {
        visit(i * 64 + static_cast<uint64_t>(__builtin_ctzll(word)));
      }
    }
  }

 private:
  uint64_t rows_ = 0;
  uint64_t count_ = 0;
  std::vector<uint64_t> words_;  // empty while nothing is set
};

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_DURABLE_ROW_BITMAP_H_
