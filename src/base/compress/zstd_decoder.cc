#include "base/compress/zstd_decoder.h"

#include <fmt/format.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace zhiwen {
namespace {

constexpr std::string_view kZstdMagic = "\x28\xb5\x2f\xfd";
constexpr std::string_view kSkippableTail = "\x2a\x4d\x18";  // after 0x50 to 0x5f
// The largest window that libzstd accepts, as `zstd --long=31` uses.
constexpr int kMaxWindowLog = 31;
// Magic, descriptor, window, dictionary id, content size.
constexpr size_t kMaxHeaderBytes = 4 + 1 + 1 + 4 + 8;
// The first bytes read of a frame: magic and descriptor.
constexpr size_t kFrameHeaderBytes = 5;

struct FreeDecoder {
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

bool IsSkippable(std::string_view bytes) {
  return !bytes.empty() && (static_cast<unsigned char>(bytes.front()) & 0xf0) == 0x50 &&
         kSkippableTail.starts_with(bytes.substr(1, kSkippableTail.size()));
}

uint64_t LittleEndian(std::string_view bytes) {
  uint64_t value = 0;
  for (size_t i = bytes.size(); i-- > 0;) {
    value = value << 8 | static_cast<unsigned char>(bytes[i]);
  }
  return value;
}

// Returns the memory that a frame asks for, by its header (RFC 8878, 3.1.1.1): the window, or the
// content size if that is smaller. Returns nothing when the header is incomplete.
std::optional<uint64_t> WindowBytes(std::string_view frame) {
  constexpr size_t kDictionaryIdBytes[] = {0, 1, 2, 4};
  if (frame.size() <= kZstdMagic.size()) return std::nullopt;
  const auto descriptor = static_cast<unsigned char>(frame[kZstdMagic.size()]);
  const bool single_segment = (descriptor >> 5 & 1) != 0;
  const size_t size_code = descriptor >> 6;
  const size_t size_bytes = size_code == 0 ? (single_segment ? 1 : 0) : size_t{1} << size_code;
  const size_t window_at = kZstdMagic.size() + 1;
  const size_t size_at = window_at + (single_segment ? 0 : 1) + kDictionaryIdBytes[descriptor & 3];
  if (frame.size() < size_at + size_bytes) return std::nullopt;
  const uint64_t content =
      LittleEndian(frame.substr(size_at, size_bytes)) + (size_bytes == 2 ? 256 : 0);
  if (single_segment) return content;
  const auto window_code = static_cast<unsigned char>(frame[window_at]);
  const uint64_t base = uint64_t{1} << (10 + (window_code >> 3));
  const uint64_t window = base + base / 8 * (window_code & 7);
  return size_bytes == 0 ? window : std::min(window, content);
}

class ZstdDecoder final : public FrameDecoder {
 public:
  ZstdDecoder(std::unique_ptr<ZSTD_DCtx, FreeDecoder> context, uint64_t max_window_bytes)
      : context_(std::move(context)), max_window_bytes_(max_window_bytes) {}

  std::string_view noun() const override { return "zstd frame"; }

  Result<Next> Start(FilePieces& pieces) override {
    ZHIWEN_ASSIGN_OR_RETURN(const std::string_view bytes, pieces.Peek(kMaxHeaderBytes));
    if (!StartsAsZstd(bytes.substr(0, kZstdMagic.size()))) return Next::kGarbage;
    if (bytes.size() < kZstdMagic.size()) return Next::kTruncated;
    wanted_ = kFrameHeaderBytes;
    is_full_ = false;
    if (IsSkippable(bytes)) return Next::kFrame;
    const std::optional<uint64_t> window = WindowBytes(bytes);
    if (!window.has_value()) return Next::kTruncated;
    // No encoder asks for more than libzstd accepts. A header that does is damaged, and Decode
    // reports it.
    if (*window > max_window_bytes_ && *window <= uint64_t{1} << kMaxWindowLog) {
      return Fail(ErrorCode::kExhausted,
                  fmt::format("cannot read \"{}\": the zstd frame at byte {} needs {} bytes of "
                              "memory for its window, and {} are allowed; allow more memory",
                              pieces.path(), pieces.offset(), *window, max_window_bytes_));
    }
    return Next::kFrame;
  }

  Step Decode(std::string_view in, std::span<char> out) override {
    // Passes one block at a time, and none while content of the last block waits, because a failed
    // call does not say how much it had written before.
    const size_t taken = is_full_ ? 0 : std::min(in.size(), wanted_);
    ZSTD_inBuffer input = {.src = in.data(), .size = taken, .pos = 0};
    ZSTD_outBuffer output = {.dst = out.data(), .size = out.size(), .pos = 0};
    const size_t hint = ZSTD_decompressStream(context_.get(), &output, &input);
    Step step = {.consumed = input.pos, .produced = output.pos, .ended = hint == 0};
    is_full_ = output.pos == output.size;
    wanted_ = hint;
    if (ZSTD_isError(hint) != 0) {
      step.cause = ZSTD_getErrorName(hint);
      if (ZSTD_getErrorCode(hint) == ZSTD_error_memory_allocation) {
        step.code = ErrorCode::kExhausted;
      }
    }
    return step;
  }

 private:
  std::unique_ptr<ZSTD_DCtx, FreeDecoder> context_;
  uint64_t max_window_bytes_;
  // Bytes wanted of the frame, up to the end of the next block.
  size_t wanted_ = kFrameHeaderBytes;
  bool is_full_ = false;  // whether the last call filled the output
};

}  // namespace

bool StartsAsZstd(std::string_view bytes) {
  return kZstdMagic.starts_with(bytes) || IsSkippable(bytes);
}

Result<std::unique_ptr<FrameDecoder>> MakeZstdDecoder(const std::string& path,
                                                      uint64_t max_window_bytes) {
  std::unique_ptr<ZSTD_DCtx, FreeDecoder> context(ZSTD_createDCtx());
  if (context == nullptr) {
    return Fail(ErrorCode::kExhausted, fmt::format("cannot read \"{}\": out of memory", path));
  }
  ZSTD_DCtx_setParameter(context.get(), ZSTD_d_windowLogMax, kMaxWindowLog);
  return std::make_unique<ZstdDecoder>(std::move(context), max_window_bytes);
}

}  // namespace zhiwen
