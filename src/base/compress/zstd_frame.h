#ifndef ZHIWEN_BASE_COMPRESS_ZSTD_FRAME_H_
#define ZHIWEN_BASE_COMPRESS_ZSTD_FRAME_H_

// Decompresses one frame of zstd whose size is known: a stored text, as FrameCompressor made it.
//
// Cost        a microsecond, and the bytes at about a gigabyte a second
// Threads     free function
// Fails       kUnreadable: the frame is damaged, or has another number of bytes
// Not for     files: base/compress/byte_source.h

#include <cstdint>
#include <string>
#include <string_view>

#include "zhiwen/result.h"

namespace zhiwen {

// Returns the `bytes` bytes of `frame`; `name` is what messages call it.
Result<std::string> DecompressZstdFrame(std::string_view frame, uint64_t bytes,
                                        std::string_view name);

}  // namespace zhiwen

#endif  // ZHIWEN_BASE_COMPRESS_ZSTD_FRAME_H_
