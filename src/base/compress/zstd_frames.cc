#include "base/compress/zstd_frames.h"

#include <fmt/format.h>
#include <zstd.h>

#include <cstddef>
#include <memory>

namespace zhiwen {
namespace {

struct FreeContext {
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

tl::unexpected<Error> Damaged(size_t frame, std::string_view why) {
  return Fail(ErrorCode::kUnreadable, fmt::format("damaged zstd frame at byte {}: {}", frame, why));
}

}  // namespace

Result<std::string> DecompressZstd(std::string_view compressed, uint64_t limit) {
  const std::unique_ptr<ZSTD_DCtx, FreeContext> context(ZSTD_createDCtx());
  if (context == nullptr) {
    return Fail(ErrorCode::kExhausted, "cannot decompress: out of memory");
  }
  std::string content;
  std::string piece(ZSTD_DStreamOutSize(), '\0');
  ZSTD_inBuffer input = {.src = compressed.data(), .size = compressed.size(), .pos = 0};
  size_t frame = 0;   // where the current one starts
  size_t hint = 1;    // 0 at the end of a frame
  bool full = false;  // there may be more to come without more input
  while (input.pos < input.size || full) {
    if (hint == 0) frame = input.pos;
    ZSTD_outBuffer output = {.dst = piece.data(), .size = piece.size(), .pos = 0};
    hint = ZSTD_decompressStream(context.get(), &output, &input);
    if (ZSTD_isError(hint) != 0) return Damaged(frame, ZSTD_getErrorName(hint));
    if (output.pos > limit - content.size()) {
      return Fail(ErrorCode::kExhausted,
                  fmt::format("cannot decompress the zstd frame at byte {}: the content is larger "
                              "than the {} bytes allowed here",
                              frame, limit));
    }
    content.append(piece, 0, output.pos);
    full = hint != 0 && output.pos == output.size;
  }
  if (hint != 0) return Damaged(frame, "it is truncated");
  return content;
}

}  // namespace zhiwen
