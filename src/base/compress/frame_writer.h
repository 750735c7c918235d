#ifndef ZHIWEN_BASE_COMPRESS_FRAME_WRITER_H_
#define ZHIWEN_BASE_COMPRESS_FRAME_WRITER_H_

// Writes records as a sequence of independent frames (gzip: members) of 8 MiB of records each. The
// bytes depend on the records alone, not on threads, buffer sizes or interruptions.
//
// Guarantees  every zstd frame states its content size and ends with a checksum, and so does every
//             gzip member; `zstd -d` and `gzip -d` read the file. kNone: the records alone, in
//             large writes
// Cost        one copy of the records; memory of two frames, more while one record is larger
// Threads     one at a time
// Fails       Append, Close: as the file does; after the first failure every call returns it again
// Persisted   see frame_compressor.h; a frame closes after the record that brings it to kFrameBytes

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "base/compress/byte_source.h"
#include "zhiwen/file_system.h"
#include "zhiwen/result.h"

namespace zhiwen {

inline constexpr size_t kFrameBytes = size_t{8} << 20;

class FrameWriter {
 public:
  // Takes ownership of the file.
  static Result<std::unique_ptr<FrameWriter>> Create(std::unique_ptr<WritableFile> file,
                                                     Compression compression);
  ~FrameWriter();

  // Appends one record with its line end. A frame is closed after the record that fills it.
  Status Append(std::string_view record);

  // Writes the last frame and closes the file, which is not synced. A file without records gets one
  // empty frame, and none with kNone.
  Status Close();

  // Returns how many records were appended, without those of failed calls.
  uint64_t records() const;

 private:
  struct State;
  explicit FrameWriter(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_BASE_COMPRESS_FRAME_WRITER_H_
