#ifndef ZHIWEN_BASE_FILES_LINE_READER_H_
#define ZHIWEN_BASE_FILES_LINE_READER_H_

// Reads the lines of a plain, gzip or zstd file as bytes, front to back.
//
// In          a file that is read once. A line ends with LF; one CR before LF is not part of the
//             line, nor is a byte order mark at the beginning of the file
// Out         every line, also an empty one; the last may lack its line end
// Cost        a copy; memory of two megabytes, or of the longest line
// Threads     one at a time
// Fails       kUnreadable: the file is damaged, or a line has more than most_line_bytes; also as
//             the file does
// Not for     records that are parsed by several threads (pipeline/reader/record_blocks.h)

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/compress/byte_source.h"
#include "zhiwen/file_system.h"
#include "zhiwen/result.h"

namespace zhiwen {

struct LineReaderOptions {
  size_t most_line_bytes = size_t{64} << 20;
  // For a file whose bytes arrive over time: returns how many bytes can be read now without
  // waiting. The reader asks for no more than these, or for one byte. It waits for compressed
  // files.
  std::function<size_t()> available = {};
};

class LineReader {
 public:
  // The number of bytes after a line that may be read; their values are undefined.
  static constexpr size_t kPadding = 64;

  // Messages call the file `name`.
  static Result<LineReader> Create(std::unique_ptr<ReadableFile> file, std::string name,
                                   LineReaderOptions options = {});

  // Reads more lines; lines returned before become invalid. Returns false at the end of the file.
  // Otherwise another line can be taken, except that with `available` there may be none.
  Result<bool> Fill();

  // Takes the next line that Fill read, without its line end. Returns false when there are no more.
  bool Take(std::string_view& line) {
    if (at_ == whole_) return false;
    const char* const begin = buffer_.data() + at_;
    const auto* found = static_cast<const char*>(std::memchr(begin, '\n', whole_ - at_));
    const size_t size = found == nullptr ? whole_ - at_ : static_cast<size_t>(found - begin);
    line = {begin, size};
    if (line.ends_with('\r')) line.remove_suffix(1);
    at_ += found == nullptr ? size : size + 1;
    ++number_;
    return true;
  }

  bool has_lines() const { return at_ != whole_; }
  // Returns the number of the last line taken, from 1.
  uint64_t number() const { return number_; }
  // Returns the number of bytes read from the file so far, before decompression.
  uint64_t bytes_read() const { return source_->file_bytes_read(); }
  const std::string& name() const { return name_; }

 private:
  LineReader(std::string name, LineReaderOptions options)
      : name_(std::move(name)), options_(std::move(options)) {}

  Status ReadSome();
  Status CheckLength() const;

  std::string name_;
  LineReaderOptions options_;
  std::unique_ptr<ByteSource> source_;
  std::string buffer_;
  // Offsets in the buffer: the next line, the end of the whole lines, the end of the bytes read.
  size_t at_ = 0, whole_ = 0, end_ = 0;
  // Bytes already read, which `available` does not count.
  size_t peeked_ = 0;
  uint64_t number_ = 0;
  bool is_at_end_ = false, has_begun_ = false;
};

}  // namespace zhiwen

#endif  // ZHIWEN_BASE_FILES_LINE_READER_H_
