#ifndef ZHIWEN_BASE_COMPRESS_FILE_PIECES_H_
#define ZHIWEN_BASE_COMPRESS_FILE_PIECES_H_

// Reads a file from front to back in pieces, with a look-ahead of some bytes.
//
// Cost        one buffer; every byte is read once
// Threads     one at a time
// Fails       as the file's ReadAt

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "zhiwen/file_system.h"
#include "zhiwen/result.h"

namespace zhiwen {

class FilePieces {
 public:
  // The largest look-ahead. Pieces are at least as large.
  static constexpr size_t kMaxPeek = 32;

  // Takes ownership of the file.
  FilePieces(std::unique_ptr<ReadableFile> file, size_t piece_bytes);

  // Returns the bytes that are not consumed: at least `wanted` (1 to kMaxPeek), unless the file
  // ends before. The view is valid until the next call.
  Result<std::string_view> Peek(size_t wanted);

  // Consumes `count` bytes of those that Peek returned.
  void Consume(size_t count) { begin_ += count; }

  // Returns the offset in the file of the first byte that is not consumed.
  uint64_t offset() const { return bytes_read_ - (end_ - begin_); }
  uint64_t bytes_read() const { return bytes_read_; }
  const std::string& path() const { return file_->path(); }

 private:
  std::unique_ptr<ReadableFile> file_;
  size_t capacity_;
  std::unique_ptr<char[]> buffer_;
  size_t begin_ = 0, end_ = 0;
  uint64_t bytes_read_ = 0;
};

}  // namespace zhiwen

#endif  // ZHIWEN_BASE_COMPRESS_FILE_PIECES_H_
