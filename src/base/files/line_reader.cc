#include "base/files/line_reader.h"

#include <algorithm>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "base/compress/peeked_file.h"
#include "base/utf8/text_encoding.h"

namespace zhiwen {
namespace {

constexpr size_t kReadBytes = size_t{1} << 20;

}  // namespace

Result<LineReader> LineReader::Create(std::unique_ptr<ReadableFile> file, std::string name,
                                      LineReaderOptions options) {
  ZHIWEN_ASSIGN_OR_RETURN(PeekedFile peeked, PeekFile(std::move(file)));
  LineReader reader(std::move(name), std::move(options));
  reader.peeked_ = peeked.bytes;
  if (peeked.compression != Compression::kNone) reader.options_.available = {};
  ZHIWEN_ASSIGN_OR_RETURN(reader.source_,
                          OpenByteSource(std::move(peeked.file), peeked.compression));
  return reader;
}

// Moves the remaining bytes to the front, and reads more after them.
Status LineReader::ReadSome() {
  std::memmove(buffer_.data(), buffer_.data() + at_, end_ - at_);
  end_ -= at_;
  at_ = 0;
  if (buffer_.size() < end_ + kReadBytes + kPadding) buffer_.resize(end_ + kReadBytes + kPadding);
  size_t wanted = buffer_.size() - kPadding - end_;
  if (options_.available) {
    wanted = std::clamp<size_t>(options_.available() + std::exchange(peeked_, 0), 1, wanted);
  }
  ZHIWEN_ASSIGN_OR_RETURN(const size_t count,
                          source_->Read(std::span(buffer_).subspan(end_, wanted)));
  is_at_end_ = count < wanted;
  end_ += count;
  return {};
}

Status LineReader::CheckLength() const {
  if (end_ - at_ <= options_.most_line_bytes) return {};
  return Fail(ErrorCode::kUnreadable,
              fmt::format("cannot read \"{}\": line {} has more than {} bytes; is it a file of "
                          "lines?",
                          name_, number_ + 1, options_.most_line_bytes));
}

Result<bool> LineReader::Fill() {
  at_ = whole_;
  size_t searched = end_ - at_;  // these bytes contain no line end
  bool has_line = false;
  while (!is_at_end_ && !has_line) {
    ZHIWEN_RETURN_IF_ERROR(ReadSome());
    const std::string_view text(buffer_.data(), end_);
    const size_t last = text.substr(searched).rfind('\n');
    has_line = last != std::string_view::npos;
    whole_ = has_line ? searched + last + 1 : 0;
    searched = end_;
    if (!has_line) ZHIWEN_RETURN_IF_ERROR(CheckLength());
    if (options_.available) break;
  }
  if (is_at_end_) whole_ = end_;
  // A byte order mark that came alone is not the end of a line.
  if (!has_begun_ && at_ < whole_) {
    has_begun_ = true;
    if (std::string_view(buffer_).substr(0, whole_).starts_with(kByteOrderMark)) {
      at_ = kByteOrderMark.size();
    }
  }
  return !is_at_end_ || at_ < whole_;
}

}  // namespace zhiwen
