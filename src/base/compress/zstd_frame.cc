#include "base/compress/zstd_frame.h"

#include <fmt/format.h>
#include <zstd.h>

namespace zhiwen {

Result<std::string> DecompressZstdFrame(std::string_view frame, uint64_t bytes,
                                        std::string_view name) {
  const auto fail = [&](std::string_view why) {
    return Fail(ErrorCode::kUnreadable, fmt::format("cannot decompress {}: {}", name, why));
  };
  // The size in the frame is looked at first, so that damage cannot ask for any amount of memory.
  const unsigned long long stated = ZSTD_getFrameContentSize(frame.data(), frame.size());
  if (stated != bytes) return fail("its size is not the one that was noted");
  std::string text(bytes, '\0');
  const size_t result = ZSTD_decompress(text.data(), text.size(), frame.data(), frame.size());
  if (ZSTD_isError(result) != 0) return fail(ZSTD_getErrorName(result));
  if (result != bytes) return fail("it ends early");
  return text;
}

}  // namespace zhiwen
