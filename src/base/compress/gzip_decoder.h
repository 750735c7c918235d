#ifndef ZHIWEN_BASE_COMPRESS_GZIP_DECODER_H_
#define ZHIWEN_BASE_COMPRESS_GZIP_DECODER_H_

// Decompresses gzip members (RFC 1952) by igzip of ISA-L, for byte_source.h.

#include <memory>
#include <string_view>

#include "base/compress/decoding_source.h"

namespace zhiwen {

// Returns whether `bytes` (one or more) begin as a gzip member does.
bool StartsAsGzip(std::string_view bytes);

std::unique_ptr<FrameDecoder> MakeGzipDecoder();

}  // namespace zhiwen

#endif  // ZHIWEN_BASE_COMPRESS_GZIP_DECODER_H_
