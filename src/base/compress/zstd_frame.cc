#include "base/compress/zstd_frame.h"

#include <fmt/format.h>
#include <zstd.h>

#include <memory>

namespace zhiwen {
namespace {

struct FreeContext {
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

}  // namespace

Result<std::string> DecompressZstdFrame(std::string_view frame, uint64_t bytes,
                                        std::string_view name) {
  const auto fail = [&](std::string_view why) {
    return Fail(ErrorCode::kUnreadable, fmt::format("cannot decompress {}: {}", name, why));
  };
  // The size in the frame is looked at first, so that damage cannot ask for any amount of memory.
  const unsigned long long stated = ZSTD_getFrameContentSize(frame.data(), frame.size());
  if (stated != bytes) return fail("its size is not the one that was noted");
  // Some hundred kilobytes; making it takes as long as decompressing a page.
  thread_local const std::unique_ptr<ZSTD_DCtx, FreeContext> context(ZSTD_createDCtx());
  if (context == nullptr) return fail("there is not enough memory");
  std::string text(bytes, '\0');
  const size_t result =
      ZSTD_decompressDCtx(context.get(), text.data(), text.size(), frame.data(), frame.size());
  if (ZSTD_isError(result) != 0) return fail(ZSTD_getErrorName(result));
  if (result != bytes) return fail("it ends early");
  return text;
}

}  // namespace zhiwen
