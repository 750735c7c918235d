#ifndef ZHIWEN_BASE_COMPRESS_GZIP_DECODER_H_
#define ZHIWEN_BASE_COMPRESS_GZIP_DECODER_H_

// Members of gzip (RFC 1952), decompressed by igzip of ISA-L; for byte_source.h.

#include <memory>
#include <string_view>

#include "base/compress/decoding_source.h"

namespace zhiwen {

// Returns whether `bytes` (one or more) are how a member starts, as far as they go.
bool StartsAsGzip(std::string_view bytes);

std::unique_ptr<FrameDecoder> MakeGzipDecoder();

}  // namespace zhiwen

#endif  // ZHIWEN_BASE_COMPRESS_GZIP_DECODER_H_
