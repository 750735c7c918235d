#ifndef ZHIWEN_BASE_COMPRESS_ZSTD_DECODER_H_
#define ZHIWEN_BASE_COMPRESS_ZSTD_DECODER_H_

// Decompresses zstd frames (RFC 8878), including skippable ones, by libzstd, for byte_source.h.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/compress/decoding_source.h"

namespace zhiwen {

// Returns whether `bytes` (one or more) begin as a zstd frame does.
bool StartsAsZstd(std::string_view bytes);

// `path` is used in messages. Fails: kExhausted, out of memory.
Result<std::unique_ptr<FrameDecoder>> MakeZstdDecoder(const std::string& path,
                                                      uint64_t max_window_bytes);

}  // namespace zhiwen

#endif  // ZHIWEN_BASE_COMPRESS_ZSTD_DECODER_H_
