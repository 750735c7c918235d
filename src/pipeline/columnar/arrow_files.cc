#include "pipeline/columnar/arrow_files.h"

#include <arrow/buffer.h>
#include <parquet/exception.h>

#include <algorithm>
#include <limits>
#include <new>
#include <utility>

namespace zhiwen {
namespace {

constexpr size_t kGatheredBytes = size_t{256} << 10;

constexpr uint64_t kBufferBytes = uint64_t{16} << 20;

int64_t WithBuffers(uint64_t limit) {
  constexpr int64_t kNone = std::numeric_limits<int64_t>::max();
  if (limit == 0 || limit > static_cast<uint64_t>(kNone) - kBufferBytes) return kNone;
  return static_cast<int64_t>(limit + kBufferBytes);
}

}  // namespace

BoundedPool::BoundedPool(uint64_t limit)
    : limit_(limit),
      counted_(arrow::system_memory_pool()),
      capped_(&counted_, WithBuffers(limit)) {}

ArrowInput::ArrowInput(std::unique_ptr<ReadableFile> file, uint64_t size, arrow::MemoryPool* pool)
    : file_(std::move(file)), size_(static_cast<int64_t>(size)), pool_(pool) {}

std::optional<Error> ArrowInput::error() const {
  const std::lock_guard lock(mutex_);
  return error_;
}

arrow::Status ArrowInput::Close() {
  closed_ = true;
  return arrow::Status::OK();
}

arrow::Status ArrowInput::Seek(int64_t position) {
  if (position < 0) return arrow::Status::Invalid("a place before the start of the file");
  position_ = position;
  return arrow::Status::OK();
}

arrow::Result<int64_t> ArrowInput::Available(int64_t position, int64_t count) const {
  if (position < 0 || count < 0) return arrow::Status::Invalid("a place outside of the file");
  return std::min(count, std::max<int64_t>(size_ - position, 0));
}

arrow::Result<int64_t> ArrowInput::ReadAt(int64_t position, int64_t count, void* out) {
  ARROW_ASSIGN_OR_RAISE(const int64_t wanted, Available(position, count));
  const Result<size_t> got = file_->ReadAt(static_cast<uint64_t>(position),
                                           {static_cast<char*>(out), static_cast<size_t>(wanted)});
  if (!got) {
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = got.error();
    return arrow::Status::IOError(got.error().message);
  }
  bytes_read_ += *got;
  return static_cast<int64_t>(*got);
}

arrow::Result<int64_t> ArrowInput::ReadAt(int64_t position, int64_t count, bool allow_short,
                                          void* out) {
  ARROW_ASSIGN_OR_RAISE(const int64_t got, ReadAt(position, count, out));
  if (got < count && !allow_short) return arrow::Status::IOError("the file ends too early");
  return got;
}

arrow::Result<std::shared_ptr<arrow::Buffer>> ArrowInput::ReadAt(int64_t position, int64_t count) {
  return ReadAt(position, count, /*allow_short=*/true);
}

arrow::Result<std::shared_ptr<arrow::Buffer>> ArrowInput::ReadAt(int64_t position, int64_t count,
                                                                 bool allow_short) {
  ARROW_ASSIGN_OR_RAISE(const int64_t wanted, Available(position, count));
  ARROW_ASSIGN_OR_RAISE(std::unique_ptr<arrow::ResizableBuffer> buffer,
                        arrow::AllocateResizableBuffer(wanted, pool_));
  ARROW_ASSIGN_OR_RAISE(const int64_t got, ReadAt(position, wanted, buffer->mutable_data()));
  if (got < count && !allow_short) return arrow::Status::IOError("the file ends too early");
  if (got < wanted) ARROW_RETURN_NOT_OK(buffer->Resize(got));
  return std::shared_ptr<arrow::Buffer>(std::move(buffer));
}

arrow::Result<int64_t> ArrowInput::Read(int64_t count, void* out) {
  ARROW_ASSIGN_OR_RAISE(const int64_t got, ReadAt(position_, count, out));
  position_ += got;
  return got;
}

arrow::Result<std::shared_ptr<arrow::Buffer>> ArrowInput::Read(int64_t count) {
  ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::Buffer> buffer, ReadAt(position_, count));
  position_ += buffer->size();
  return buffer;
}

arrow::Status ArrowOutput::Fail(Error error) {
  if (!error_) error_ = std::move(error);
  return arrow::Status::IOError(error_->message);
}

void ArrowOutput::Abandon() {
  buffer_.clear();
  if (!error_) error_ = Error{ErrorCode::kInternal, "the file was given up"};
}

arrow::Status ArrowOutput::Write(const void* data, int64_t count) {
  if (error_) return arrow::Status::IOError(error_->message);
  const std::string_view bytes(static_cast<const char*>(data), static_cast<size_t>(count));
  if (buffer_.size() + bytes.size() > kGatheredBytes) ARROW_RETURN_NOT_OK(Flush());
  position_ += bytes.size();
  if (bytes.size() < kGatheredBytes) {
    buffer_.append(bytes);
    return arrow::Status::OK();
  }
  if (Status status = file_->Append(bytes); !status) return Fail(std::move(status).error());
  return arrow::Status::OK();
}

arrow::Status ArrowOutput::Flush() {
  if (error_) return arrow::Status::IOError(error_->message);
  if (buffer_.empty()) return arrow::Status::OK();
  if (Status status = file_->Append(buffer_); !status) return Fail(std::move(status).error());
  buffer_.clear();
  return arrow::Status::OK();
}

arrow::Status ArrowOutput::Close() {
  if (closed_) return arrow::Status::OK();
  ARROW_RETURN_NOT_OK(Flush());
  closed_ = true;
  if (Status status = file_->Close(); !status) return Fail(std::move(status).error());
  return arrow::Status::OK();
}

arrow::Status StatusOfException() {
  try {
    throw;
  } catch (const parquet::ParquetStatusException& thrown) {
    return thrown.status();
  } catch (const std::bad_alloc&) {
    return arrow::Status::OutOfMemory("no memory is left");
  } catch (const std::exception& thrown) {
    return arrow::Status::IOError(thrown.what());
  }
}

}  // namespace zhiwen
