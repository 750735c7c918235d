#ifndef ZHIWEN_PIPELINE_COLUMNAR_ARROW_FILES_H_
#define ZHIWEN_PIPELINE_COLUMNAR_ARROW_FILES_H_

// The files of the project as Arrow wants them, and what Arrow says went wrong as an Error.
//
// Guarantees  an error of the file system comes out as it was, not as Arrow retells it; no
//             exception of Arrow passes
// Threads     ArrowInput: any; ArrowOutput: one at a time

#include <arrow/io/interfaces.h>
#include <arrow/memory_pool.h>
#include <arrow/result.h>
#include <arrow/status.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "zhiwen/file_system.h"
#include "zhiwen/result.h"

namespace zhiwen {

// Memory of the system's allocator, up to a limit of its own: what pages and columns may take, and
// 16 MiB beside it for buffers of streams and blocks in use.
class BoundedPool {
 public:
  // 0: no limit.
  explicit BoundedPool(uint64_t limit);
  arrow::MemoryPool* get() { return &capped_; }
  uint64_t limit() const { return limit_; }

 private:
  uint64_t limit_;
  arrow::ProxyMemoryPool counted_;
  arrow::CappedMemoryPool capped_;
};

class ArrowInput final : public arrow::io::RandomAccessFile {
 public:
  ArrowInput(std::unique_ptr<ReadableFile> file, uint64_t size, arrow::MemoryPool* pool);

  const ReadableFile& file() const { return *file_; }
  uint64_t bytes_read() const { return bytes_read_; }
  // The first error of the file.
  std::optional<Error> error() const;

  arrow::Status Close() override;
  bool closed() const override { return closed_; }
  arrow::Result<int64_t> Tell() const override { return position_; }
  arrow::Status Seek(int64_t position) override;
  arrow::Result<int64_t> GetSize() override { return size_; }
  arrow::Result<int64_t> Read(int64_t count, void* out) override;
  arrow::Result<std::shared_ptr<arrow::Buffer>> Read(int64_t count) override;
  arrow::Result<int64_t> ReadAt(int64_t position, int64_t count, void* out) override;
  arrow::Result<int64_t> ReadAt(int64_t position, int64_t count, bool allow_short,
                                void* out) override;
  arrow::Result<std::shared_ptr<arrow::Buffer>> ReadAt(int64_t position, int64_t count) override;
  arrow::Result<std::shared_ptr<arrow::Buffer>> ReadAt(int64_t position, int64_t count,
                                                       bool allow_short) override;

 private:
  // How many of `count` bytes the file has at `position`.
  arrow::Result<int64_t> Available(int64_t position, int64_t count) const;

  std::unique_ptr<ReadableFile> file_;
  int64_t size_;
  arrow::MemoryPool* pool_;
  int64_t position_ = 0;
  bool closed_ = false;
  std::atomic<uint64_t> bytes_read_{0};
  mutable std::mutex mutex_;
  std::optional<Error> error_;
};

// Gathers small writes.
class ArrowOutput final : public arrow::io::OutputStream {
 public:
  explicit ArrowOutput(std::unique_ptr<WritableFile> file) : file_(std::move(file)) {}

  const std::optional<Error>& error() const { return error_; }
  uint64_t bytes_written() const { return position_; }
  // Lets nothing more reach the file: writers of Arrow finish theirs when they are destroyed.
  void Abandon();

  arrow::Status Close() override;
  bool closed() const override { return closed_; }
  arrow::Result<int64_t> Tell() const override { return static_cast<int64_t>(position_); }
  arrow::Status Write(const void* data, int64_t count) override;
  using arrow::io::OutputStream::Write;
  arrow::Status Flush() override;

 private:
  arrow::Status Fail(Error error);

  std::unique_ptr<WritableFile> file_;
  std::string buffer_;
  uint64_t position_ = 0;
  bool closed_ = false;
  std::optional<Error> error_;
};

// The status of what an exception says.
arrow::Status StatusOfException();

// Calls what returns a Status and may throw all the same.
template <typename Call>
arrow::Status CatchArrow(Call call) {
  try {
    return call();
  } catch (...) {
    return StatusOfException();
  }
}

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_COLUMNAR_ARROW_FILES_H_
