#ifndef ZHIWEN_BASE_COMPRESS_INFLATER_H_
#define ZHIWEN_BASE_COMPRESS_INFLATER_H_

// Decompresses one deflate stream (RFC 1951) after another by igzip of ISA-L, whose ways with
// failures it hides.
//
// Guarantees  a failure is told after everything that could be decoded was given out
// Threads     one at a time

#include <isa-l/igzip_lib.h>

#include <cstdint>
#include <span>
#include <string_view>

#include "base/compress/decoding_source.h"

namespace zhiwen {

class Inflater {
 public:
  // What stands around the stream.
  enum class Wrapper : uint8_t {
    kNone,
    kZlib,         // RFC 1950
    kGzip,         // RFC 1952; a header must be in one piece
    kGzipTrailer,  // the header was read before
  };
  explicit Inflater(Wrapper wrapper);

  // Begins another stream. Call this between streams and never inside one, because input that igzip
  // holds back would be lost.
  void Reset();

  // Decodes a part of the stream, as FrameDecoder::Decode.
  FrameDecoder::Step Decode(std::string_view in, std::span<char> out);

 private:
  FrameDecoder::Step HandOutRest(std::span<char> out);

  inflate_state state_;
  int stalls_ = 0;
  // The cause of the failure, kept until everything before it was returned.
  std::string_view cause_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_BASE_COMPRESS_INFLATER_H_
