#ifndef ZHIWEN_BASE_COMPRESS_ZSTD_FRAMES_H_
#define ZHIWEN_BASE_COMPRESS_ZSTD_FRAMES_H_

// Writing records as a sequence of independent zstd frames of 8 MiB of records each, so that the
// bytes depend on the records alone: not on threads, buffer sizes or interruptions.

#include <memory>
#include <string>
#include <string_view>

#include "zhiwen/file_system.h"
#include "zhiwen/result.h"

namespace zhiwen {

class ZstdFrameWriter {
 public:
  // Takes the file over.
  static Result<std::unique_ptr<ZstdFrameWriter>> Create(std::unique_ptr<WritableFile> file);
  ~ZstdFrameWriter();

  // Appends one record (with its line end); a frame closes after the record that fills it.
  Status Append(std::string_view record);

  // Writes the last frame, syncs and closes the file. A file without records gets one empty frame.
  Status Close();

 private:
  struct State;
  explicit ZstdFrameWriter(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// Decompresses all frames of `compressed`. Fails: kUnreadable, naming the byte of the damaged
// frame; kExhausted above `limit` bytes.
Result<std::string> DecompressZstd(std::string_view compressed, uint64_t limit);

}  // namespace zhiwen

#endif  // ZHIWEN_BASE_COMPRESS_ZSTD_FRAMES_H_
