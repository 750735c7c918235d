#include "pipeline/reader/line_blocks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "document/record.h"

namespace zhiwen {

namespace {

Error ChangedDuringRun(const std::string& path, std::string_view how) {
  return {ErrorCode::kUnreadable,
          fmt::format("\"{}\" {} during the run; run again when nothing writes to it", path, how)};
}

}  // namespace

Result<std::unique_ptr<ReadableFile>> OpenUnchanged(FileSystem& files, const InputFile& input) {
  ZHIWEN_ASSIGN_OR_RETURN(std::unique_ptr<ReadableFile> file, files.OpenForRead(input.path));
  ZHIWEN_RETURN_IF_ERROR(CheckUnchanged(*file, input));
  return file;
}

Status CheckUnchanged(const ReadableFile& file, const InputFile& input) {
  ZHIWEN_ASSIGN_OR_RETURN(const FileIdentity now, file.Identity());
  if (now == input.identity) return {};
  return tl::unexpected(ChangedDuringRun(input.path, "changed"));
}

Status ReadFully(const ReadableFile& file, uint64_t offset, std::span<char> out) {
  ZHIWEN_ASSIGN_OR_RETURN(const size_t got, file.ReadAt(offset, out));
  if (got == out.size()) return {};
  return tl::unexpected(ChangedDuringRun(file.path(), "became shorter"));
}

Result<bool> LineBlockReader::OpenNext() {
  while (file_ < files_.size()) {
    if (open_ == nullptr) {
      ZHIWEN_ASSIGN_OR_RETURN(open_, OpenUnchanged(file_system_, files_[file_]));
      offset_ = 0;
    }
    if (offset_ < files_[file_].identity.size) return true;
    ZHIWEN_RETURN_IF_ERROR(CheckUnchanged(*open_, files_[file_]));
    open_ = nullptr;
    ++file_;
  }
  return false;
}

Result<size_t> LineBlockReader::ReadLines(std::vector<char>& buffer) {
  const uint64_t left = files_[file_].identity.size - offset_;
  size_t wanted = static_cast<size_t>(std::min<uint64_t>(left, block_bytes_));
  size_t have = 0;
  while (true) {
    if (buffer.size() < wanted + kBlockPadding) buffer.resize(wanted + kBlockPadding);
    const std::span<char> room(buffer.data() + have, wanted - have);
    ZHIWEN_RETURN_IF_ERROR(ReadFully(*open_, offset_ + have, room));
    if (wanted == left) return wanted;
    if (const void* end = memrchr(room.data(), '\n', room.size()); end != nullptr) {
      return static_cast<size_t>(static_cast<const char*>(end) - buffer.data()) + 1;
    }
    have = wanted;
    wanted = static_cast<size_t>(std::min<uint64_t>(left, uint64_t{wanted} * 2));
  }
}

Result<bool> LineBlockReader::Next(std::vector<char>& buffer, LineBlock& block) {
  const std::scoped_lock lock(mutex_);
  ZHIWEN_ASSIGN_OR_RETURN(const bool more, OpenNext());
  if (!more) return false;
  ZHIWEN_ASSIGN_OR_RETURN(const size_t length, ReadLines(buffer));
  std::memset(buffer.data() + length, 0, kBlockPadding);
  block = {sequence_++, file_, offset_, {buffer.data(), length}};
  offset_ += length;
  bytes_read_ += length;
  return true;
}

uint64_t LineBlockReader::bytes_read() const {
  const std::scoped_lock lock(mutex_);
  return bytes_read_;
}

bool TakeLine(std::string_view& rest, std::string_view& line, size_t& taken) {
  if (rest.empty()) return false;
  const size_t end = rest.find('\n');
  line = rest.substr(0, end);
  taken = end == std::string_view::npos ? rest.size() : end + 1;
  rest.remove_prefix(taken);
  return true;
}

bool IsBlankLine(std::string_view line) {
  if (line.starts_with(kByteOrderMark)) line.remove_prefix(kByteOrderMark.size());
  return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

}  // namespace zhiwen
