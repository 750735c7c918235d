#ifndef ZHIWEN_BASE_COMPRESS_ZSTD_FRAMES_H_
#define ZHIWEN_BASE_COMPRESS_ZSTD_FRAMES_H_

// Writing records as a sequence of independent zstd frames of 8 MiB of records each, so that the
// bytes depend on the records alone: not on threads, buffer sizes or interruptions.
//
// Guarantees  every frame tells its content size and ends with a checksum; `zstd -d` reads the file
// Cost        one copy of the records; memory of two frames, more while one record is larger
// Threads     one at a time
// Fails       Append, Close: as the file does; after the first failure every call returns it again
// Persisted   zstd (RFC 8878); a frame closes after the record that brings it to kZstdFrameBytes

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "zhiwen/file_system.h"
#include "zhiwen/result.h"

namespace zhiwen {

inline constexpr size_t kZstdFrameBytes = size_t{8} << 20;

class ZstdFrameWriter {
 public:
  // Takes the file over.
  static Result<std::unique_ptr<ZstdFrameWriter>> Create(std::unique_ptr<WritableFile> file);
  ~ZstdFrameWriter();

  // Appends one record (with its line end); a frame closes after the record that fills it.
  Status Append(std::string_view record);

  // Writes the last frame and closes the file, which is not synced. A file without records gets one
  // empty frame.
  Status Close();

 private:
  struct State;
  explicit ZstdFrameWriter(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// Decompresses all frames of `compressed`; there must be at least one. Fails: kUnreadable, naming
// the byte where the damaged frame starts; kExhausted above `limit` bytes.
Result<std::string> DecompressZstd(std::string_view compressed, uint64_t limit);

}  // namespace zhiwen

#endif  // ZHIWEN_BASE_COMPRESS_ZSTD_FRAMES_H_
