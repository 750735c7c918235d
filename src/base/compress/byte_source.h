#ifndef ZHIWEN_BASE_COMPRESS_BYTE_SOURCE_H_
#define ZHIWEN_BASE_COMPRESS_BYTE_SOURCE_H_

// The decompressed bytes of a file, front to back.
//
// In          plain bytes; gzip (RFC 1952) of any number of members, zeros behind the last accepted
//             as padding; zstd (RFC 8878) of any number of frames, skippable ones passed over,
//             windows of up to 2 GiB (`zstd --long=31`)
// Guarantees  a stream that ends is whole: every member's CRC-32 and length and every checksum a
//             zstd frame has were verified, and nothing follows. Bytes are handed out before their
//             frame's checksum is seen, so that what follows the last whole frame is worth only as
//             much as its reader can make sure of once a later Read fails. How many bytes there are
//             before a damage depends on the file alone, not on how they are asked for
// Cost        decompressed into the caller's buffer (zstd: by way of its window), best in pieces of
//             64 KiB or more; memory: piece_bytes, and 200 KiB for gzip, or what a zstd frame asks
//             for its window (usually 0.5 to 8 MiB), which max_window_bytes bounds
// Threads     one at a time
// Fails       kUnreadable: truncated, corrupt, followed by garbage; the message names the file and
//             the byte in it where the damaged frame, member or garbage starts. kExhausted: a zstd
//             frame asks for a larger window than allowed, with the need. What the file's own
//             operations return is passed on. After a failure every call returns it again
// Not for     random access

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "zhiwen/file_system.h"
#include "zhiwen/result.h"

namespace zhiwen {

enum class Compression : uint8_t { kNone, kGzip, kZstd };

// Returns what a file is by its first bytes; four decide, fewer are kNone unless two say gzip.
Compression DetectCompression(std::string_view first_bytes);

// What a Read that failed had put into its buffer.
struct BeforeFailure {
  size_t bytes = 0;
  // They end with a frame that is whole and verified, and garbage follows it.
  bool ends_whole = false;
};

class ByteSource {
 public:
  virtual ~ByteSource() = default;

  // Fills `out`; returns how many bytes, fewer only at the end of the stream. On failure `out`
  // holds what before_failure() says, and behind that anything.
  virtual Result<size_t> Read(std::span<char> out) = 0;

  // Of the last Read, which failed.
  virtual BeforeFailure before_failure() const = 0;

  // Passes over so many decompressed bytes, as Read does but without copying plain ones. Fails also
  // when the stream ends before (kUnreadable).
  virtual Status Skip(uint64_t bytes) = 0;

  // Bytes of the file taken so far, for progress: its size once the stream has ended.
  virtual uint64_t file_bytes_read() const = 0;
};

struct ByteSourceOptions {
  // Larger windows of zstd frames are refused.
  uint64_t max_window_bytes = uint64_t{1} << 31;
  // Of the file, compressed, read at once; small ones are for tests.
  size_t piece_bytes = size_t{256} << 10;
};

// Takes the file over. An empty file is an empty stream of kNone, and truncated otherwise.
Result<std::unique_ptr<ByteSource>> OpenByteSource(std::unique_ptr<ReadableFile> file,
                                                   Compression compression,
                                                   const ByteSourceOptions& options = {});

}  // namespace zhiwen

#endif  // ZHIWEN_BASE_COMPRESS_BYTE_SOURCE_H_
