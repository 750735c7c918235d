#include "base/compress/gzip_decoder.h"

#include <algorithm>

#include "base/compress/gzip_header.h"
#include "base/compress/inflater.h"

namespace zhiwen {
namespace {

constexpr std::string_view kGzipMagic = "\x1f\x8b";

class GzipDecoder final : public FrameDecoder {
 public:
  std::string_view noun() const override { return "gzip member"; }

  Result<Next> Start(FilePieces& pieces) override {
    ZHIWEN_ASSIGN_OR_RETURN(const std::string_view bytes, pieces.Peek(kGzipMagic.size()));
    if (any_member_ && bytes.front() == '\0') return PassZeros(pieces);
    if (!StartsAsGzip(bytes.substr(0, kGzipMagic.size()))) return Next::kGarbage;
    const uint64_t start = pieces.offset();
    ZHIWEN_ASSIGN_OR_RETURN(const GzipHeader header, ParseGzipHeader(pieces));
    if (!header.whole) return Next::kTruncated;
    if (!header.cause.empty()) return FailCorrupt({pieces.path(), noun(), start}, header.cause);
    inflater_.Reset();
    any_member_ = true;
    return Next::kFrame;
  }

  Step Decode(std::string_view in, std::span<char> out) override {
    return inflater_.Decode(in, out);
  }

 private:
  // Archivers fill their last block with zeros; gzip(1) takes them too.
  static Result<Next> PassZeros(FilePieces& pieces) {
    while (true) {
      ZHIWEN_ASSIGN_OR_RETURN(const std::string_view bytes, pieces.Peek(1));
      if (bytes.empty()) return Next::kEnd;
      const size_t zeros = std::min(bytes.find_first_not_of('\0'), bytes.size());
      pieces.Consume(zeros);
      if (zeros < bytes.size()) return Next::kGarbage;
    }
  }

  Inflater inflater_{Inflater::Wrapper::kGzipTrailer};
  bool any_member_ = false;
};

}  // namespace

bool StartsAsGzip(std::string_view bytes) { return kGzipMagic.starts_with(bytes); }

std::unique_ptr<FrameDecoder> MakeGzipDecoder() { return std::make_unique<GzipDecoder>(); }

}  // namespace zhiwen
