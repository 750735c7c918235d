#ifndef ZHIWEN_BASE_COMPRESS_DECODING_SOURCE_H_
#define ZHIWEN_BASE_COMPRESS_DECODING_SOURCE_H_

// Base class of the compressed sources of byte_source.h. A file is a sequence of frames (gzip:
// members). One decoder reads frame after frame, and errors name the byte where the damaged frame
// starts.
//
// Threads     one at a time
// Fails       see byte_source.h

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/compress/byte_source.h"
#include "base/compress/file_pieces.h"

namespace zhiwen {

// Decodes the frames of one format.
class FrameDecoder {
 public:
  enum class Next : uint8_t {
    kFrame,      // another frame starts here
    kEnd,        // there are no more frames
    kGarbage,    // the bytes at the pieces' offset are not a frame
    kTruncated,  // the file ends in the header of a frame
  };
  struct Step {
    size_t consumed = 0;
    size_t produced = 0;
    bool ended = false;                       // whether the frame ended and was verified
    std::string_view cause{};                 // why decoding failed; empty when it did not
    ErrorCode code = ErrorCode::kUnreadable;  // code of the failure
  };

  virtual ~FrameDecoder() = default;
  // Returns the name of a frame in messages.
  virtual std::string_view noun() const = 0;
  // Examines the bytes after the frames read so far; there is at least one. Padding and headers may
  // be consumed.
  virtual Result<Next> Start(FilePieces& pieces) = 0;
  // Decodes a part of the frame. `in` is empty only at the end of the file, `out` never. A failure
  // is returned after everything that could be decoded was produced.
  virtual Step Decode(std::string_view in, std::span<char> out) = 0;
};

class DecodingSource final : public ByteSource {
 public:
  DecodingSource(FilePieces pieces, std::unique_ptr<FrameDecoder> decoder);

  Result<size_t> Read(std::span<char> out) override;
  BeforeFailure before_failure() const override { return done_; }
  Status Skip(uint64_t bytes) override;
  uint64_t file_bytes_read() const override { return pieces_.bytes_read(); }

 private:
  // Returns whether there is another frame.
  Result<bool> StartFrame();
  Status DecodeSome(std::span<char> out);
  Result<size_t> ReadFrames(std::span<char> out);
  Status SkipByReading(uint64_t bytes);
  tl::unexpected<Error> FailTruncated() const;

  FilePieces pieces_;
  std::unique_ptr<FrameDecoder> decoder_;
  uint64_t frame_start_ = 0;  // offset of the current or last frame in the file
  bool in_frame_ = false;
  bool any_frame_ = false;
  BeforeFailure done_;  // of the current or last ReadFrames
  std::optional<Error> failure_;
};

struct FramePlace {
  std::string_view path;
  std::string_view noun;
  uint64_t start = 0;  // offset in the file
};

// Returns the error of a damaged frame.
tl::unexpected<Error> FailCorrupt(const FramePlace& place, std::string_view cause);

// Returns the error of a Skip over `bytes` when only `left` bytes were there.
tl::unexpected<Error> FailSkip(const std::string& path, uint64_t bytes, uint64_t left);

}  // namespace zhiwen

#endif  // ZHIWEN_BASE_COMPRESS_DECODING_SOURCE_H_
