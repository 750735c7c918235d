#ifndef ZHIWEN_BASE_COMPRESS_CONTENT_DECODER_H_
#define ZHIWEN_BASE_COMPRESS_CONTENT_DECODER_H_

// Decompresses bytes in memory as servers send them: the content codings of HTTP.
//
// In          gzip (RFC 1952) of any number of members; deflate with or without the wrapper of zlib
//             (RFC 1950, RFC 1951), which servers mix up, and gzip that is called deflate; Brotli
//             (RFC 7932); zstd (RFC 8878) of any number of frames, with windows of up to 8 MiB
//             (RFC 9659)
// Guarantees  no more than most_bytes come out, whatever goes in. What could be decoded before an
//             end or a damage is there
// Cost        memory: four times the content or twice what comes out, whichever is more, but not
//             more than 1.5 times most_bytes; and a window: 32 KiB, Brotli 16 MiB, zstd 8 MiB
// Threads     free function
// Fails       never: ContentEnd says how it ended
// Not for     files (base/compress/byte_source.h)

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace zhiwen {

enum class ContentCoding : uint8_t { kGzip, kDeflate, kBrotli, kZstd };

enum class ContentEnd : uint8_t {
  kWhole,     // checksums, where there are some, were verified
  kCut,       // the content ends before its coding does
  kDamaged,   // it is not in this coding, or damaged
  kTooLarge,  // it would be more than most_bytes
};

struct DecodedContent {
  std::string bytes;
  size_t used = 0;  // bytes of the content; kWhole: what follows is not of this coding
  ContentEnd end = ContentEnd::kWhole;
};

DecodedContent DecodeContent(std::string_view content, ContentCoding coding, uint64_t most_bytes);

}  // namespace zhiwen

#endif  // ZHIWEN_BASE_COMPRESS_CONTENT_DECODER_H_
