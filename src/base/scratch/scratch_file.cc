#include "base/scratch/scratch_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

namespace zhiwen {

ScratchFile::ScratchFile(Scratch& scratch, std::string_view name, const ScratchShape& shape)
    : scratch_(scratch),
      path_(fmt::format("{}/{}", scratch.folder(), name)),
      chunk_bytes_(shape.chunk_bytes),
      partitions_(shape.partitions) {
  Charge(partitions_.capacity() * sizeof(Partition));
  const std::lock_guard lock(scratch_.mutex_);
  scratch_.members_.push_back(this);
}

ScratchFile::~ScratchFile() {
  {
    const std::lock_guard lock(scratch_.mutex_);
    std::erase(scratch_.members_, this);
  }
  scratch_.spillable_ -= spillable_;
  Discharge(charged_);
  for (Partition& partition : partitions_) scratch_.chunks_.GiveBack(partition.chunks);
  if (!created_ || keep_) return;
  writer_.reset();
  reader_.reset();
  // A file that cannot be removed harms nothing; the run removes the folder at its end.
  if (scratch_.files_.RemoveFile(path_)) scratch_.disk_used_ -= file_bytes_;
}

Result<std::unique_ptr<ScratchFile>> ScratchFile::Create(Scratch& scratch, std::string_view name,
                                                         const ScratchShape& shape) {
  return std::unique_ptr<ScratchFile>(new ScratchFile(scratch, name, shape));
}

Result<std::unique_ptr<ScratchFile>> ScratchFile::Reopen(Scratch& scratch, std::string_view name,
                                                         const ScratchShape& shape,
                                                         const SpoolMark& mark) {
  std::unique_ptr<ScratchFile> file(new ScratchFile(scratch, name, shape));
  // Nothing was saved, so an existing file will be overwritten.
  if (mark == SpoolMark{}) return file;
  ZHIWEN_ASSIGN_OR_RETURN(file->writer_,
                          scratch.files_.OpenForAppend(file->path_, mark.file_bytes));
  ZHIWEN_RETURN_IF_ERROR(file->IndexFrames(mark));
  file->in_file_ = true;
  file->created_ = true;
  file->file_bytes_ = mark.file_bytes;
  scratch.disk_used_ += mark.file_bytes;
  return file;
}

Status ScratchFile::IndexFrames(const SpoolMark& mark) {
  ZHIWEN_ASSIGN_OR_RETURN(const ReadableFile* const reader, Reader());
  uint64_t offset = 0, bytes = 0;
  while (offset < mark.file_bytes) {
    char header_bytes[kFrameHeaderBytes];
    ZHIWEN_ASSIGN_OR_RETURN(const size_t count, reader->ReadAt(offset, header_bytes));
    ZHIWEN_ASSIGN_OR_RETURN(const FrameHeader header,
                            DecodeFrameHeader({path_, offset}, {header_bytes, count}));
    if (header.partition >= partitions()) {
      return Fail(
          ErrorCode::kUnreadable,
          fmt::format("cannot continue \"{}\": its frame at byte {} is of partition {} of {}",
                      path_, offset, header.partition, partitions()));
    }
    Partition& partition = partitions_[header.partition];
    PushCharged(partition.frames, Frame{.offset = offset, .begin = partition.framed_bytes});
    partition.framed_bytes += header.length;
    partition.sealed_bytes += header.length;
    bytes += header.length;
    offset += kFrameHeaderBytes + header.length;
  }
  if (offset == mark.file_bytes && bytes == mark.bytes) return {};
  return Fail(
      ErrorCode::kUnreadable,
      fmt::format("cannot continue \"{}\": it holds {} bytes in {}, and {} in {} were saved", path_,
                  bytes, offset, mark.bytes, mark.file_bytes));
}

// ---- memory

void ScratchFile::Charge(uint64_t bytes) {
  charged_ += bytes;
  scratch_.memory_used_ += bytes;
}

void ScratchFile::Discharge(uint64_t bytes) {
  charged_ -= bytes;
  scratch_.memory_used_ -= bytes;
}

template <typename Item>
void ScratchFile::PushCharged(std::vector<Item>& items, Item item) {
  const size_t before = items.capacity();
  items.push_back(std::move(item));
  if (items.capacity() != before) Charge((items.capacity() - before) * sizeof(Item));
}

void ScratchFile::NewActive(Partition& partition) {
  partition.active = scratch_.chunks_.Take(chunk_size());
  partition.next = partition.active.get() + kFrameHeaderBytes;
  partition.room = chunk_bytes_;
  Charge(chunk_size());
}

// ---- appending

Status ScratchFile::Append(uint32_t partition, std::string_view bytes) {
  Partition& to = partitions_[partition];
  if (bytes.size() > to.room) return AppendAcross(partition, bytes);
  if (bytes.empty()) return {};
  std::memcpy(to.next, bytes.data(), bytes.size());
  to.next += bytes.size();
  to.room -= bytes.size();
  return {};
}

Status ScratchFile::AppendAcross(uint32_t number, std::string_view bytes) {
  Partition& to = partitions_[number];
  while (!bytes.empty()) {
    if (to.room == 0) {
      if (to.active != nullptr) ZHIWEN_RETURN_IF_ERROR(Seal(number));
      if (to.active == nullptr) NewActive(to);
      ZHIWEN_RETURN_IF_ERROR(scratch_.MakeRoom());
    }
    const size_t count = std::min(bytes.size(), to.room);
    std::memcpy(to.next, bytes.data(), count);
    to.next += count;
    to.room -= count;
    bytes.remove_prefix(count);
  }
  return {};
}

// Moves a full active chunk to the other full ones: into the file, or to those that wait.
Status ScratchFile::Seal(uint32_t number) {
  const std::unique_lock lock(mutex_);
  Partition& partition = partitions_[number];
  if (in_file_) {
    ZHIWEN_RETURN_IF_ERROR(WriteFrame(number, partition.active.get(), chunk_bytes_));
    partition.next = partition.active.get() + kFrameHeaderBytes;
    partition.room = chunk_bytes_;
  } else {
    PushCharged(partition.chunks, std::move(partition.active));
    spillable_ += chunk_size();
    scratch_.spillable_ += chunk_size();
  }
  partition.sealed_bytes += chunk_bytes_;
  return {};
}

Status ScratchFile::Spill() {
  const std::unique_lock lock(mutex_);
  return SpillLocked();
}

Status ScratchFile::SpillLocked() {
  in_file_ = true;
  for (uint32_t number = 0; spillable_ > 0 && number < partitions(); ++number) {
    ZHIWEN_RETURN_IF_ERROR(WriteChunks(number));
  }
  return {};
}

Status ScratchFile::WriteChunks(uint32_t number) {
  std::vector<Chunk>& chunks = partitions_[number].chunks;
  size_t written = 0;
  Status status;
  for (; written < chunks.size(); ++written) {
    status = WriteFrame(number, chunks[written].get(), chunk_bytes_);
    if (!status) break;
  }
  scratch_.chunks_.GiveBack(std::span(chunks).first(written));
  const uint64_t freed = written * chunk_size();
  spillable_ -= freed;
  scratch_.spillable_ -= freed;
  Discharge(freed);
  chunks.erase(chunks.begin(), chunks.begin() + static_cast<ptrdiff_t>(written));
  if (chunks.empty()) {
    Discharge(chunks.capacity() * sizeof(Chunk));
    std::vector<Chunk>().swap(chunks);
  }
  return status;
}

Status ScratchFile::WriteFrame(uint32_t number, char* chunk, size_t length) {
  if (failure_) return tl::unexpected<Error>(*failure_);
  Status status = OpenWriter();
  if (status) {
    EncodeFrameHeader(number, file_bytes_, {chunk + kFrameHeaderBytes, length}, chunk);
    status = writer_->Append({chunk, kFrameHeaderBytes + length});
  }
  if (!status) {
    // The end of the file is now unknown.
    failure_ = status.error();
    return status;
  }
  Partition& partition = partitions_[number];
  PushCharged(partition.frames, Frame{.offset = file_bytes_, .begin = partition.framed_bytes});
  partition.framed_bytes += length;
  file_bytes_ += kFrameHeaderBytes + length;
  scratch_.disk_used_ += kFrameHeaderBytes + length;
  scratch_.disk_written_ += kFrameHeaderBytes + length;
  return {};
}

Status ScratchFile::OpenWriter() {
  if (writer_ != nullptr) return {};
  ZHIWEN_ASSIGN_OR_RETURN(writer_, scratch_.files_.OpenForWrite(path_));
  created_ = true;
  return {};
}

Result<SpoolMark> ScratchFile::Save() {
  const std::unique_lock lock(mutex_);
  if (failure_) return tl::unexpected<Error>(*failure_);
  ZHIWEN_RETURN_IF_ERROR(SpillLocked());
  SpoolMark mark;
  for (uint32_t number = 0; number < partitions(); ++number) {
    Partition& partition = partitions_[number];
    if (const size_t filled = FilledOf(partition); filled > 0) {
      ZHIWEN_RETURN_IF_ERROR(WriteFrame(number, partition.active.get(), filled));
      partition.sealed_bytes += filled;
      partition.next = partition.active.get() + kFrameHeaderBytes;
      partition.room = chunk_bytes_;
    }
    mark.bytes += partition.sealed_bytes;
  }
  mark.file_bytes = file_bytes_;
  return mark;
}

Status ScratchFile::Finish() {
  ZHIWEN_RETURN_IF_ERROR(Save());
  for (Partition& partition : partitions_) {
    if (partition.active == nullptr) continue;
    partition.active.reset();
    partition.next = nullptr;
    partition.room = 0;
    Discharge(chunk_size());
  }
  return {};
}

// ---- reading

Result<const ReadableFile*> ScratchFile::Reader() const {
  const std::lock_guard lock(reader_mutex_);
  if (reader_ == nullptr) {
    auto opened = scratch_.files_.OpenForRead(path_);
    if (!opened && opened.error().code == ErrorCode::kNotFound) {
      return Fail(ErrorCode::kUnreadable, std::move(opened).error().message);
    }
    if (!opened) return Fail(std::move(opened));
    reader_ = *std::move(opened);
  }
  return reader_.get();
}

uint64_t ScratchFile::EndOf(const Partition& partition, size_t index) const {
  return index + 1 < partition.frames.size() ? partition.frames[index + 1].begin
                                             : partition.framed_bytes;
}

size_t ScratchFile::FrameAt(const Partition& partition, uint64_t offset) {
  const auto after = std::ranges::upper_bound(partition.frames, offset, {}, &Frame::begin);
  return static_cast<size_t>(after - partition.frames.begin()) - 1;
}

Result<std::string_view> ScratchFile::ReadFrame(uint32_t number, size_t index,
                                                std::vector<char>& buffer) const {
  const Partition& partition = partitions_[number];
  const Frame& frame = partition.frames[index];
  const auto length = static_cast<size_t>(EndOf(partition, index) - frame.begin);
  ZHIWEN_ASSIGN_OR_RETURN(const ReadableFile* const reader, Reader());
  if (buffer.size() < kFrameHeaderBytes + length) buffer.resize(kFrameHeaderBytes + length);
  const std::span<char> out = std::span(buffer).first(kFrameHeaderBytes + length);
  ZHIWEN_ASSIGN_OR_RETURN(const size_t count, reader->ReadAt(frame.offset, out));
  const ScratchFramePlace place{path_, frame.offset};
  const std::string_view bytes(buffer.data(), count);
  ZHIWEN_ASSIGN_OR_RETURN(const FrameHeader header, DecodeFrameHeader(place, bytes));
  if (header.length != length || header.partition != number) {
    return Fail(
        ErrorCode::kUnreadable,
        fmt::format("cannot read \"{}\": the scratch frame at byte {} is another one than was "
                    "written there; no other program may write to this folder",
                    path_, frame.offset));
  }
  const std::string_view payload = bytes.substr(kFrameHeaderBytes);
  ZHIWEN_RETURN_IF_ERROR(CheckFramePayload(place, header, payload));
  return payload;
}

std::string_view ScratchFile::MemoryAt(const Partition& partition, uint64_t offset) const {
  const bool active = offset >= partition.sealed_bytes;
  const uint64_t rest = offset - (active ? partition.sealed_bytes : partition.framed_bytes);
  const size_t index = active ? 0 : static_cast<size_t>(rest / chunk_bytes_);
  const size_t skipped = active ? static_cast<size_t>(rest) : rest % chunk_bytes_;
  const Chunk& chunk = active ? partition.active : partition.chunks[index];
  const size_t filled = active ? FilledOf(partition) : chunk_bytes_;
  return std::string_view(chunk.get() + kFrameHeaderBytes, filled).substr(skipped);
}

Status ScratchFile::CheckRange(uint32_t number, uint64_t offset, uint64_t size_wanted) const {
  const uint64_t have = size(number);
  if (offset <= have && size_wanted <= have - offset) return {};
  return Fail(ErrorCode::kUnreadable,
              fmt::format("cannot read {} bytes at {} of \"{}\": it holds {}", size_wanted, offset,
                          path_, have));
}

Status ScratchFile::ReadAt(uint32_t partition, uint64_t offset, std::span<char> out) const {
  ZHIWEN_RETURN_IF_ERROR(CheckRange(partition, offset, out.size()));
  const std::shared_lock lock(mutex_);
  const Partition& from = partitions_[partition];
  std::vector<char> buffer;
  while (!out.empty()) {
    std::string_view bytes;
    if (offset < from.framed_bytes) {
      const size_t index = FrameAt(from, offset);
      ZHIWEN_ASSIGN_OR_RETURN(bytes, ReadFrame(partition, index, buffer));
      bytes.remove_prefix(static_cast<size_t>(offset - from.frames[index].begin));
    } else {
      bytes = MemoryAt(from, offset);
    }
    const size_t count = bytes.copy(out.data(), out.size());
    out = out.subspan(count);
    offset += count;
  }
  return {};
}

Result<ScratchPiece> ScratchFile::ReadPiece(uint32_t partition, uint64_t offset,
                                            std::vector<char>& buffer) const {
  ZHIWEN_RETURN_IF_ERROR(CheckRange(partition, offset, 1));
  const std::shared_lock lock(mutex_);
  const Partition& from = partitions_[partition];
  if (offset < from.framed_bytes) {
    const size_t index = FrameAt(from, offset);
    ZHIWEN_ASSIGN_OR_RETURN(const std::string_view bytes, ReadFrame(partition, index, buffer));
    return ScratchPiece{.begin = from.frames[index].begin, .bytes = bytes};
  }
  const std::string_view bytes = MemoryAt(from, offset);
  // The bytes are copied, because the chunk may be spilled meanwhile.
  if (buffer.size() < bytes.size()) buffer.resize(bytes.size());
  bytes.copy(buffer.data(), bytes.size());
  return ScratchPiece{.begin = offset, .bytes = {buffer.data(), bytes.size()}};
}

}  // namespace zhiwen
