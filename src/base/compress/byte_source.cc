#include "base/compress/byte_source.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/compress/decoding_source.h"
#include "base/compress/gzip_decoder.h"
#include "base/compress/zstd_decoder.h"

namespace zhiwen {
namespace {

// The unit in which a device fails to read.
constexpr size_t kPageBytes = 4096;

class PlainSource final : public ByteSource {
 public:
  explicit PlainSource(std::unique_ptr<ReadableFile> file) : file_(std::move(file)) {}

  Result<size_t> Read(std::span<char> out) override {
    before_failure_ = {};
    if (failure_.has_value()) return tl::unexpected<Error>(*failure_);
    Result<size_t> count = file_->ReadAt(offset_, out);
    if (count) {
      offset_ += *count;
    } else {
      before_failure_.bytes = ReadUpToFault(out);
      failure_ = count.error();
    }
    return count;
  }

  BeforeFailure before_failure() const override { return before_failure_; }

  Status Skip(uint64_t bytes) override {
    if (failure_.has_value()) return tl::unexpected<Error>(*failure_);
    Status skipped = SkipWithin(bytes);
    if (!skipped) failure_ = skipped.error();
    return skipped;
  }

  uint64_t file_bytes_read() const override { return offset_; }

 private:
  // Reads page by page, after the whole could not be read.
  size_t ReadUpToFault(std::span<char> out) {
    size_t done = 0;
    while (done < out.size()) {
      const size_t page = kPageBytes - static_cast<size_t>((offset_ + done) % kPageBytes);
      const auto room = out.subspan(done, std::min(page, out.size() - done));
      const Result<size_t> count = file_->ReadAt(offset_ + done, room);
      if (!count) break;
      done += *count;
      if (*count < room.size()) break;
    }
    return done;
  }

  Status SkipWithin(uint64_t bytes) {
    ZHIWEN_ASSIGN_OR_RETURN(const FileIdentity identity, file_->Identity());
    const uint64_t left = identity.size - std::min(identity.size, offset_);
    if (bytes > left) return FailSkip(file_->path(), bytes, left);
    offset_ += bytes;
    return {};
  }

  std::unique_ptr<ReadableFile> file_;
  uint64_t offset_ = 0;
  BeforeFailure before_failure_;
  std::optional<Error> failure_;
};

}  // namespace

Compression DetectCompression(std::string_view first_bytes) {
  if (StartsAsGzip(first_bytes.substr(0, 2)) && first_bytes.size() >= 2) return Compression::kGzip;
  if (StartsAsZstd(first_bytes.substr(0, 4)) && first_bytes.size() >= 4) return Compression::kZstd;
  return Compression::kNone;
}

Result<std::unique_ptr<ByteSource>> OpenByteSource(std::unique_ptr<ReadableFile> file,
                                                   Compression compression,
                                                   const ByteSourceOptions& options) {
  if (compression == Compression::kNone) return std::make_unique<PlainSource>(std::move(file));
  std::unique_ptr<FrameDecoder> decoder;
  if (compression == Compression::kGzip) {
    decoder = MakeGzipDecoder();
  } else {
    ZHIWEN_ASSIGN_OR_RETURN(decoder, MakeZstdDecoder(file->path(), options.max_window_bytes));
  }
  return std::make_unique<DecodingSource>(FilePieces(std::move(file), options.piece_bytes),
                                          std::move(decoder));
}

}  // namespace zhiwen
