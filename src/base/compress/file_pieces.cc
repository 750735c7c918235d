#include "base/compress/file_pieces.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

namespace zhiwen {

FilePieces::FilePieces(std::unique_ptr<ReadableFile> file, size_t piece_bytes)
    : file_(std::move(file)),
      // igzip counts input in 32 bits.
      capacity_(std::clamp(piece_bytes, kMaxPeek, size_t{1} << 30)),
      buffer_(std::make_unique_for_overwrite<char[]>(capacity_)) {}

Result<std::string_view> FilePieces::Peek(size_t wanted) {
  if (end_ - begin_ < wanted) {
    std::memmove(buffer_.get(), buffer_.get() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
    const std::span<char> room(buffer_.get() + end_, capacity_ - end_);
    ZHIWEN_ASSIGN_OR_RETURN(const size_t count, file_->ReadAt(bytes_read_, room));
    end_ += count;
    bytes_read_ += count;
  }
  return std::string_view(buffer_.get() + begin_, end_ - begin_);
}

}  // namespace zhiwen
