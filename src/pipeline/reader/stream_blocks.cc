#include "pipeline/reader/stream_blocks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/utf8/transcoder.h"
#include "zhiwen/documents.h"

namespace zhiwen {
namespace {

constexpr size_t kNone = CsvScanner::kNone;
constexpr size_t kMaxTailBytes = size_t{4} << 10;
constexpr std::string_view kJsonSpace = " \n\r\t";
constexpr size_t kChunkBytes = size_t{256} << 10;
constexpr size_t kKeptBytes = size_t{1} << 20;  // a larger buffer is given back

// Makes `buffer` hold `size` bytes; one that grows in steps moves few times.
void Grow(std::vector<char>& buffer, size_t size, uint64_t largest) {
  if (buffer.size() >= size) return;
  if (buffer.capacity() < size) {
    buffer.reserve(std::max<uint64_t>(size, std::min<uint64_t>(2 * buffer.capacity(), largest)));
  }
  buffer.resize(size);
}

}  // namespace

StreamBlocks::StreamBlocks(const InputFile& input, uint32_t file, const BlockOptions& options)
    : input_(input),
      file_(file),
      format_(input.format),
      largest_(std::min<uint64_t>(options.max_record_bytes, uint64_t{1} << 48) + 1),
      window_(static_cast<size_t>(
          std::min<uint64_t>(std::max<size_t>(options.block_bytes, 1), largest_))),
      by_lines_(options.texts_by_lines),
      text_fields_(options.fields.text),
      arriving_(input.compression == Compression::kNone ? options.arriving : std::nullopt),
      max_member_bytes_(std::min(options.fields.max_extracted_bytes, options.max_record_bytes)),
      scanner_(SeparatorOf(input)) {
  if (is_warc()) largest_ += kMaxWarcHeaderBytes;
  if (is_archive()) largest_ += kMostEntryFrameBytes;
}

Result<std::unique_ptr<FileBlocks>> StreamBlocks::Open(FileSystem& files, const InputFile& input,
                                                       uint32_t file, const BlockOptions& options) {
  ZHIWEN_ASSIGN_OR_RETURN(std::unique_ptr<ReadableFile> open, OpenUnchanged(files, input));
  std::unique_ptr<StreamBlocks> blocks(new StreamBlocks(input, file, options));
  blocks->files_ = &files;
  ZHIWEN_RETURN_IF_ERROR(blocks->Attach(std::move(open)));
  return blocks;
}

Result<std::unique_ptr<FileBlocks>> StreamBlocks::Open(std::unique_ptr<ReadableFile> open,
                                                       const InputFile& input,
                                                       const BlockOptions& options) {
  std::unique_ptr<StreamBlocks> blocks(new StreamBlocks(input, 0, options));
  ZHIWEN_RETURN_IF_ERROR(blocks->Attach(std::move(open)));
  return blocks;
}

Status StreamBlocks::Attach(std::unique_ptr<ReadableFile> open) {
  open_ = open.get();
  if (is_archive()) {
    const auto size = files_ == nullptr ? std::nullopt : std::optional(input_.identity.size);
    arriving_.reset();
    ZHIWEN_ASSIGN_OR_RETURN(source_, OpenArchive(std::move(open), input_.compression, size,
                                                 {.max_member_bytes = max_member_bytes_}));
    return {};
  }
  ZHIWEN_ASSIGN_OR_RETURN(source_, OpenByteSource(std::move(open), input_.compression));
  return {};
}

Status StreamBlocks::CheckFile() const {
  return files_ == nullptr ? Status() : CheckUnchanged(*open_, input_);
}

// A failure of a file that changed is told as that change.
Result<size_t> StreamBlocks::ReadSource(std::span<char> out) {
  if (source_at_end_) return size_t{0};
  Result<size_t> count = source_->Read(out);
  if (!count) return EndAtDamage(std::move(count).error());
  taken_ += *count;
  source_at_end_ = *count < out.size();
  const bool is_unpacked = input_.compression != Compression::kNone || is_archive();
  if (files_ == nullptr || is_unpacked) return count;
  const uint64_t size = input_.identity.size;
  if (taken_ <= size && !(source_at_end_ && taken_ < size)) return count;
  ZHIWEN_RETURN_IF_ERROR(CheckFile());
  return Fail(ErrorCode::kUnreadable,
              fmt::format("\"{}\" became {} during the run; run again when nothing writes to it",
                          input_.path, taken_ < size ? "shorter" : "longer"));
}

// The stream ends with what was read before `error`, which is told when that is used up.
Result<size_t> StreamBlocks::EndAtDamage(Error error) {
  const BeforeFailure before = source_->before_failure();
  ZHIWEN_RETURN_IF_ERROR(CheckFile());
  if (error.code != ErrorCode::kUnreadable) return tl::unexpected(std::move(error));
  damage_ = std::move(error);
  damage_ends_whole_ = before.ends_whole;
  source_at_end_ = true;
  taken_ += before.bytes;
  return before.bytes;
}

Result<StreamBlocks::Taken> StreamBlocks::TakeArrived(std::span<char> out) {
  if (arriving_) {
    size_t there = carry_.size() - carry_begin_;
    if (there == 0 && arriving_->ready() == 0) {
      ZHIWEN_RETURN_IF_ERROR(arriving_->await(std::chrono::milliseconds::max()));
    }
    if (there == 0) there = std::max(arriving_->ready(), unit_);
    out = out.first(std::min(there + (unit_ - there % unit_) % unit_, out.size()));
  }
  ZHIWEN_ASSIGN_OR_RETURN(const size_t count, Take(out));
  return Taken{count, count < out.size()};
}

Result<size_t> StreamBlocks::Take(std::span<char> out) {
  const size_t carried = std::min(out.size(), carry_.size() - carry_begin_);
  if (carried > 0) std::memcpy(out.data(), carry_.data() + carry_begin_, carried);
  carry_begin_ += carried;
  if (carried == out.size()) return carried;
  ZHIWEN_ASSIGN_OR_RETURN(const size_t read, ReadSource(out.subspan(carried)));
  return carried + read;
}

// `bytes` were taken last.
void StreamBlocks::PutBack(std::string_view bytes) {
  if (carry_begin_ < carry_.size()) {
    carry_begin_ -= bytes.size();  // some are left, so that these came from there
    return;
  }
  if (carry_.capacity() > std::max(kKeptBytes, bytes.size() * 2)) std::vector<char>().swap(carry_);
  carry_.assign(bytes.begin(), bytes.end());
  carry_begin_ = 0;
}

// Reads the closing bracket and what is behind it, which may be white space alone.
Status StreamBlocks::ReadTail() {
  std::vector<char> buffer(kChunkBytes);
  for (uint64_t at = offset_; true;) {
    ZHIWEN_ASSIGN_OR_RETURN(const size_t count, Take(buffer));
    const std::string_view piece(buffer.data(), count);
    const size_t unit = UnitsOf(piece).find_first_not_of(kJsonSpace, at == offset_ ? 1 : 0);
    const size_t other = unit == std::string_view::npos ? unit : unit * unit_;
    if (other != std::string_view::npos && !damage_.has_value()) {
      ZHIWEN_RETURN_IF_ERROR(CheckFile());
      damage_ =
          Error{ErrorCode::kUnreadable,
                fmt::format("cannot read \"{}\": the array ends before byte {}, and something "
                            "follows; take it away, or give one file to each array",
                            input_.path, at + other)};
    }
    tail_ +=
        piece.substr(0, std::min(other, kMaxTailBytes - std::min(tail_.size(), kMaxTailBytes)));
    at += count;
    if (damage_.has_value() || count < buffer.size()) return {};
  }
}

size_t StreamBlocks::FindLastEnd(std::string_view piece) {
  const size_t end = FindLastEndIn(UnitsOf(piece));
  if (is_warc()) return end;
  return end == kNone ? kNone : std::min(end * unit_, piece.size());
}

size_t StreamBlocks::FindFirstEnd(std::string_view piece) {
  const size_t end = FindFirstEndIn(UnitsOf(piece));
  if (is_warc()) return end;
  return end == kNone ? kNone : std::min(end * unit_, piece.size());
}

size_t StreamBlocks::FindLastEndIn(std::string_view piece) {
  if (is_whole()) return kNone;
  if (is_separated()) return scanner_.FindLastEnd(piece);
  if (is_array()) return array_.FindLastEnd(piece);
  if (is_warc()) return warc_.FindLastEnd(piece);
  if (is_archive()) return entries_.FindLastEnd(piece);
  if (piece.empty()) return kNone;
  const void* found = memrchr(piece.data(), '\n', piece.size());
  if (found == nullptr) return kNone;
  return static_cast<size_t>(static_cast<const char*>(found) - piece.data()) + 1;
}

size_t StreamBlocks::FindFirstEndIn(std::string_view piece) {
  if (is_whole()) return kNone;
  if (is_separated()) return scanner_.FindFirstEnd(piece);
  if (is_array()) return array_.FindFirstEnd(piece);
  if (is_warc()) return warc_.FindFirstEnd(piece);
  if (is_archive()) return entries_.FindFirstEnd(piece);
  const size_t found = piece.find('\n');
  return found == std::string_view::npos ? kNone : found + 1;
}

// Whether the end of the stream leaves a block; an empty file is an empty text.
bool StreamBlocks::HoldsRecord(size_t length) const {
  return length > 0 || (is_text() && !text_done_);
}

void StreamBlocks::Describe(RecordBlock& block, uint64_t length) {
  block.file = file_;
  block.format = format_;
  block.offset = offset_;
  block.length = length;
  block.oversized = false;
  block.head = head_;
  block.columns = nullptr;
  block.spans = array_.elements();
  for (RecordSpan& span : block.spans) span = {span.begin * unit_, span.end * unit_};
  offset_ += length;
  text_done_ = true;
}

Result<bool> StreamBlocks::Next(RecordBlock& block) {
  ZHIWEN_RETURN_IF_ERROR(ReadHead());
  if (!tail_.empty()) return false;
  if (block.buffer.size() > std::max(kKeptBytes, window_ * 2)) {
    std::vector<char>().swap(block.buffer);
  }
  scanner_.Restart();
  warc_.Restart();
  entries_.Restart();
  array_.Restart(offset_ == head_->bytes.size() ? ArrayScanner::Before::kBracket
                                                : ArrayScanner::Before::kElement);
  size_t have = 0, wanted = window_, length = 0;
  for (bool complete = false; !complete;) {
    Grow(block.buffer, wanted + kBlockPadding, largest_ + kBlockPadding);
    const std::span<char> room(block.buffer.data() + have, wanted - have);
    ZHIWEN_ASSIGN_OR_RETURN(const Taken taken, TakeArrived(room));
    const auto [count, at_end] = taken;
    size_t end = FindLastEnd({room.data(), count});
    if (at_end && is_array() && !array_.closed()) {
      if (array_.EndInput()) end = count;
      ZHIWEN_RETURN_IF_ERROR(EndInArray());
    }
    if (at_end && is_warc() && have + count > 0 && !warc_.EndInput()) {
      ZHIWEN_RETURN_IF_ERROR(EndInRecord());
    }
    if (at_end && is_separated() && scanner_.inside_quotes()) {
      const std::string_view bytes(block.buffer.data(), have + count);
      ZHIWEN_RETURN_IF_ERROR(
          EndAtQuote(CountLines(bytes.substr(0, static_cast<size_t>(quote_offset())))));
    }
    if (at_end && is_cut() && end == kNone) return FailDamaged();
    const bool takes_all = (at_end && !is_cut() && !is_array()) || end == kNone;
    length = takes_all ? have + count : end + (is_warc() ? 0 : have);
    have += count;
    complete = at_end || end != kNone;
    if (!complete && have == largest_) {
      ZHIWEN_RETURN_IF_ERROR(PassOversized(block, have));
      return true;
    }
    if (have < wanted) continue;  // more is to arrive
    wanted = static_cast<size_t>(std::min<uint64_t>(largest_, uint64_t{wanted} + window_));
  }
  if (!HoldsRecord(length)) {
    if (is_array()) {
      PutBack({block.buffer.data(), have});
      ZHIWEN_RETURN_IF_ERROR(ReadTail());
    }
    ZHIWEN_RETURN_IF_ERROR(CheckFile());
    if (damage_.has_value()) return FailDamaged();
    return false;
  }
  PutBack({block.buffer.data() + length, have - length});
  std::memset(block.buffer.data() + length, 0, kBlockPadding);
  Describe(block, length);
  block.bytes = {block.buffer.data(), length};
  if (is_separated() && files_ == nullptr) lines_ += CountLines(block.bytes);
  return true;
}

// Puts back what is behind the end of an oversized capture group: the end and the piece that showed
// it, of which `piece_begin` bytes stand before, count from the beginning of the group.
void StreamBlocks::PutBackBehind(uint64_t end, uint64_t piece_begin, std::string_view piece) {
  if (end >= piece_begin) return PutBack(piece.substr(end - piece_begin));
  PutBack(std::string(warc_.before_piece()) + std::string(piece));
}

// Passes over the record that begins with the `have` bytes in the buffer of `block`, without
// keeping it.
Status StreamBlocks::PassOversized(RecordBlock& block, size_t have) {
  uint64_t length = 0, lines = 0, quote_line = 0;
  size_t count = have;
  for (bool complete = false; true;) {
    const std::string_view piece(block.buffer.data(), count);
    const uint64_t quote = quote_offset();  // of the one that opened last, if any
    if (is_separated() && quote >= length) {
      quote_line = lines + CountLines(piece.substr(0, quote - length));
    }
    if (is_separated()) lines += CountLines(piece);
    length += count;
    if (complete) break;
    const std::span<char> room(block.buffer.data(),
                               std::min(block.buffer.size() - kBlockPadding, kChunkBytes));
    ZHIWEN_ASSIGN_OR_RETURN(const Taken taken, TakeArrived(room));
    count = taken.count;
    complete = taken.at_end;
    const size_t end = FindFirstEnd({room.data(), count});
    if (complete && is_array() && end == kNone && !array_.EndInput()) {
      ZHIWEN_RETURN_IF_ERROR(EndInArray());
    }
    if (complete && is_warc() && end == kNone && !warc_.EndInput()) {
      ZHIWEN_RETURN_IF_ERROR(EndInRecord());
    }
    if (complete && is_cut() && end == kNone) return FailDamaged();
    if (end == kNone) continue;
    if (is_warc()) {
      PutBackBehind(end, length, {room.data(), count});
      length = end;
      break;
    }
    complete = true;
    PutBack({room.data() + end, count - end});
    count = end;
  }
  if (is_separated() && scanner_.inside_quotes()) {
    ZHIWEN_RETURN_IF_ERROR(EndAtQuote(quote_line));
    return FailDamaged();
  }
  Describe(block, length);
  block.oversized = true;
  block.bytes = {};
  lines_ += lines;
  return {};
}

// The stream ends inside quotes, so that nobody knows where the record with them ends: it counts as
// cut. `lines` of the next block are before the quote.
Status StreamBlocks::EndAtQuote(uint64_t lines) {
  damage_ends_whole_ = false;
  if (damage_.has_value()) return {};
  ZHIWEN_RETURN_IF_ERROR(CheckFile());
  ZHIWEN_ASSIGN_OR_RETURN(const uint64_t before, LinesBefore(offset_));
  damage_ = Error{ErrorCode::kUnreadable,
                  fmt::format("cannot read \"{}\": the quote on line {} is never closed, so that "
                              "the rest of the file would be one record; close it, or double it "
                              "inside quotes",
                              input_.path, before + lines + 1)};
  return {};
}

// The stream ends before its array does: the element that has begun counts as cut.
Status StreamBlocks::EndInArray() {
  damage_ends_whole_ = false;
  if (damage_.has_value()) return {};
  ZHIWEN_RETURN_IF_ERROR(CheckFile());
  const std::string place = array_.inside_element()
                                ? fmt::format("inside the element that begins at byte {}",
                                              offset_ + array_.element_offset() * unit_)
                                : "behind an element";
  damage_ = Error{ErrorCode::kUnreadable,
                  fmt::format("cannot read \"{}\": the array is never closed, the file ends {}",
                              input_.path, place)};
  return {};
}

// The stream ends inside a record of a crawl archive, or with what is none: its group counts as
// cut.
Status StreamBlocks::EndInRecord() {
  damage_ends_whole_ = false;
  if (damage_.has_value()) return {};
  ZHIWEN_RETURN_IF_ERROR(CheckFile());
  damage_ = Error{ErrorCode::kUnreadable,
                  fmt::format("cannot read \"{}\" to its end: the last capture in it is cut, or "
                              "something follows that is no record",
                              input_.path)};
  return {};
}

// Line ends before a block. A file is read again for them, so that nobody counts for the sake of
// one message about a quote that is never closed.
Result<uint64_t> StreamBlocks::LinesBefore(uint64_t offset) {
  if (files_ == nullptr) return lines_;
  ZHIWEN_ASSIGN_OR_RETURN(std::unique_ptr<ReadableFile> open, OpenUnchanged(*files_, input_));
  ZHIWEN_ASSIGN_OR_RETURN(const std::unique_ptr<ByteSource> source,
                          OpenByteSource(std::move(open), input_.compression));
  std::vector<char> buffer(kChunkBytes);
  uint64_t lines = 0;
  for (uint64_t at = 0; at < offset;) {
    const std::span<char> room(buffer.data(), std::min<uint64_t>(buffer.size(), offset - at));
    ZHIWEN_ASSIGN_OR_RETURN(const size_t count, source->Read(room));
    lines += CountLines({room.data(), count});
    at += count;
    if (count < room.size()) break;
  }
  return lines;
}

Status StreamBlocks::SkipTo(uint64_t offset) {
  ZHIWEN_RETURN_IF_ERROR(ReadHead());
  if (offset < offset_) {
    return Fail(ErrorCode::kInternal,
                fmt::format("cannot go back to byte {} of \"{}\"", offset, input_.path));
  }
  const uint64_t bytes = offset - offset_;
  if (bytes == 0) return {};
  const size_t carried =
      static_cast<size_t>(std::min<uint64_t>(bytes, carry_.size() - carry_begin_));
  carry_begin_ += carried;
  if (bytes > carried) {
    if (Status skipped = source_->Skip(bytes - carried); !skipped) {
      ZHIWEN_RETURN_IF_ERROR(CheckFile());
      return skipped;
    }
    taken_ += bytes - carried;
  }
  offset_ = offset;
  text_done_ = true;
  return {};
}

}  // namespace zhiwen
