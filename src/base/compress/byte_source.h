#ifndef ZHIWEN_BASE_COMPRESS_BYTE_SOURCE_H_
#define ZHIWEN_BASE_COMPRESS_BYTE_SOURCE_H_

// Reads the decompressed bytes of a file from front to back.
//
// In          plain bytes; gzip (RFC 1952) of any number of members, where zeros after the last are
//             accepted as padding; zstd (RFC 8878) of any number of frames, where skippable frames
//             are passed over, with windows of up to 2 GiB (`zstd --long=31`)
// Guarantees  a stream that ends is whole: the CRC-32 and length of every member, and every
//             checksum of a zstd frame, were verified, and nothing follows. Bytes are returned
//             before the checksum of their frame is read. When a later Read fails, bytes after the
//             last whole frame are therefore unverified. The number of bytes before a damage
//             depends on the file alone, not on the sizes of the reads
// Cost        decompresses into the caller's buffer (zstd: by way of its window), best in pieces of
//             64 KiB or more; memory: piece_bytes, and 200 KiB for gzip, or the window that a zstd
//             frame asks for (usually 0.5 to 8 MiB), which max_window_bytes bounds
// Threads     one at a time
// Fails       kUnreadable: truncated, corrupt, followed by garbage; the message names the file and
//             the byte at which the damaged frame, member or garbage starts. kExhausted: a zstd
//             frame asks for a larger window than allowed; the message says how large. Errors of
//             the file's operations are passed on. After a failure every call returns the same
//             error
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

// Detects the compression of a file from its first four bytes. With fewer bytes the result is
// kNone, unless two bytes show gzip.
Compression DetectCompression(std::string_view first_bytes);

// Describes the bytes that a failed Read put into its buffer.
struct BeforeFailure {
  size_t bytes = 0;
  // The bytes end with a whole and verified frame, and garbage follows it.
  bool ends_whole = false;
};

class ByteSource {
 public:
  virtual ~ByteSource() = default;

  // Fills `out`. Returns the number of bytes, which is smaller than `out` only at the end of the
  // stream. On failure, `out` begins with the bytes that before_failure() describes; the rest is
  // undefined.
  virtual Result<size_t> Read(std::span<char> out) = 0;

  // Describes the last Read, which must have failed.
  virtual BeforeFailure before_failure() const = 0;

  // Skips `bytes` decompressed bytes, as Read does but without copying plain ones. Fails also with
  // kUnreadable when the stream ends before.
  virtual Status Skip(uint64_t bytes) = 0;

  // Returns the bytes of the file consumed so far, for progress. At the end of the stream this is
  // the size of the file.
  virtual uint64_t file_bytes_read() const = 0;
};

struct ByteSourceOptions {
  // Larger windows of zstd frames are refused.
  uint64_t max_window_bytes = uint64_t{1} << 31;
  // The number of compressed bytes read at once. Small values are for tests.
  size_t piece_bytes = size_t{256} << 10;
};

// Takes ownership of the file. An empty file is an empty stream for kNone, and truncated otherwise.
Result<std::unique_ptr<ByteSource>> OpenByteSource(std::unique_ptr<ReadableFile> file,
                                                   Compression compression,
                                                   const ByteSourceOptions& options = {});

}  // namespace zhiwen

#endif  // ZHIWEN_BASE_COMPRESS_BYTE_SOURCE_H_
