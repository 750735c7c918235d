#ifndef ZHIWEN_BASE_COMPRESS_ZSTD_FRAMES_H_
#define ZHIWEN_BASE_COMPRESS_ZSTD_FRAMES_H_

// Decompressing zstd frames (RFC 8878) that are in memory. Files are read by byte_source.h.
//
// Threads     any

#include <cstdint>
#include <string>
#include <string_view>

#include "zhiwen/result.h"

namespace zhiwen {

// Decompresses all frames of `compressed`; there must be at least one. Fails: kUnreadable, naming
// the byte where the damaged frame starts; kExhausted above `limit` bytes.
Result<std::string> DecompressZstd(std::string_view compressed, uint64_t limit);

}  // namespace zhiwen

#endif  // ZHIWEN_BASE_COMPRESS_ZSTD_FRAMES_H_
