#ifndef ZHIWEN_TESTS_SUPPORT_DECOMPRESS_ZSTD_H_
#define ZHIWEN_TESTS_SUPPORT_DECOMPRESS_ZSTD_H_

#include <zstd.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace zhiwen {

// Decompresses all zstd frames of `compressed` with the library alone. Returns nothing where a
// frame is damaged or cut off, or there is none.
inline std::optional<std::string> DecompressZstd(std::string_view compressed) {
  const std::unique_ptr<ZSTD_DCtx, size_t (*)(ZSTD_DCtx*)> context(ZSTD_createDCtx(),
                                                                   ZSTD_freeDCtx);
  std::string content, piece(ZSTD_DStreamOutSize(), '\0');
  ZSTD_inBuffer input = {.src = compressed.data(), .size = compressed.size(), .pos = 0};
  size_t hint = 1;  // 0 at the end of a frame
  bool is_full = false;
  while (input.pos < input.size || is_full) {
    ZSTD_outBuffer output = {.dst = piece.data(), .size = piece.size(), .pos = 0};
    hint = ZSTD_decompressStream(context.get(), &output, &input);
    if (ZSTD_isError(hint) != 0) return std::nullopt;
    content.append(piece, 0, output.pos);
    is_full = hint != 0 && output.pos == output.size;  // more may come without more input
  }
  if (hint != 0) return std::nullopt;
  return content;
}

}  // namespace zhiwen

#endif  // ZHIWEN_TESTS_SUPPORT_DECOMPRESS_ZSTD_H_
