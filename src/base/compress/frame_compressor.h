#ifndef ZHIWEN_BASE_COMPRESS_FRAME_COMPRESSOR_H_
#define ZHIWEN_BASE_COMPRESS_FRAME_COMPRESSOR_H_

// Compresses bytes to one independent frame: a zstd frame with content size and checksum, a gzip
// member without name and time, or the bytes themselves. Frames one after another form a file.
//
// Guarantees  the bytes depend on the input and the library's version alone, not on what was
//             compressed before, threads or the processor
// Cost        Chinese news on one core of a small server: zstd to 36 % at 160 MB/s, gzip to 40 % at
//             80 MB/s; memory of the input again, more for a while
// Threads     one at a time; workers have one each
// Fails       kExhausted, out of memory
// Persisted   zstd (RFC 8878), gzip (RFC 1952)

#include <memory>
#include <string>
#include <string_view>

#include "base/compress/byte_source.h"
#include "zhiwen/result.h"

namespace zhiwen {

class FrameCompressor {
 public:
  static Result<FrameCompressor> Create(Compression compression);
  FrameCompressor(FrameCompressor&& other) noexcept;
  FrameCompressor& operator=(FrameCompressor&& other) noexcept;
  ~FrameCompressor();

  // Appends the frame of `bytes` to `out`, which is unchanged on failure.
  Status Compress(std::string_view bytes, std::string& out);

  Compression compression() const;

 private:
  struct State;
  explicit FrameCompressor(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_BASE_COMPRESS_FRAME_COMPRESSOR_H_
