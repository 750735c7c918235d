#include "base/compress/gzip_decoder.h"

#include <isa-l/igzip_lib.h>

#include <algorithm>

#include "base/compress/gzip_header.h"

namespace zhiwen {
namespace {

constexpr std::string_view kGzipMagic = "\x1f\x8b";
// A bound on consecutive calls that neither consume nor produce a byte, which should not happen.
constexpr int kMaxStalls = 4;
// igzip counts output in 32 bits.
constexpr size_t kLargestOutput = size_t{1} << 30;

std::string_view CauseOf(int code) {
  switch (code) {
    case ISAL_INVALID_BLOCK:
      return "invalid deflate block";
    case ISAL_INVALID_SYMBOL:
      return "invalid deflate symbol";
    case ISAL_INVALID_LOOKBACK:
      return "a distance reaches before the start";
    case ISAL_INVALID_WRAPPER:
      return "invalid header";
    case ISAL_UNSUPPORTED_METHOD:
      return "unknown compression method";
    case ISAL_INCORRECT_CHECKSUM:
      return "checksum or length is wrong";
    default:
      return "invalid deflate data";
  }
}

class GzipDecoder final : public FrameDecoder {
 public:
  GzipDecoder() {
    isal_inflate_init(&state_);
    // Headers are read by this file; igzip checks CRC-32 and length of the trailer.
    state_.crc_flag = ISAL_GZIP_NO_HDR_VER;
  }

  std::string_view noun() const override { return "gzip member"; }

  Result<Next> Start(FilePieces& pieces) override {
    ZHIWEN_ASSIGN_OR_RETURN(const std::string_view bytes, pieces.Peek(kGzipMagic.size()));
    if (any_member_ && bytes.front() == '\0') return PassZeros(pieces);
    if (!StartsAsGzip(bytes.substr(0, kGzipMagic.size()))) return Next::kGarbage;
    const uint64_t start = pieces.offset();
    ZHIWEN_ASSIGN_OR_RETURN(const GzipHeader header, ParseGzipHeader(pieces));
    if (!header.whole) return Next::kTruncated;
    if (!header.cause.empty()) return FailCorrupt({pieces.path(), noun(), start}, header.cause);
    // Reset happens once a member and never inside one, because input that igzip holds back would
    // be lost.
    isal_inflate_reset(&state_);
    any_member_ = true;
    cause_ = {};
    return Next::kFrame;
  }

  Step Decode(std::string_view in, std::span<char> out) override {
    if (!cause_.empty()) return HandOutRest(out);
    const auto room = static_cast<uint32_t>(std::min(out.size(), kLargestOutput));
    // igzip's pointers are not const; it does not write its input.
    state_.next_in = reinterpret_cast<uint8_t*>(const_cast<char*>(in.data()));
    state_.avail_in = static_cast<uint32_t>(in.size());
    state_.next_out = reinterpret_cast<uint8_t*>(out.data());
    state_.avail_out = room;
    const int code = isal_inflate(&state_);
    const size_t produced = room - state_.avail_out;
    if (code < 0) {
      cause_ = CauseOf(code);
      // After a failure igzip's input counters are meaningless, and may even exceed the input.
      const Step rest = HandOutRest(out.subspan(produced));
      return {.produced = produced + rest.produced, .cause = rest.cause};
    }
    Step step = {.consumed = in.size() - state_.avail_in, .produced = produced};
    // The return value is the same for a finished member and for one without an end.
    step.ended = state_.block_state == ISAL_BLOCK_FINISH;
    const bool stalled = !step.ended && step.consumed == 0 && step.produced == 0 && !in.empty();
    stalls_ = stalled ? stalls_ + 1 : 0;
    if (stalls_ > kMaxStalls) step.cause = "invalid deflate data";
    return step;
  }

 private:
  // Returns the rest of the buffer into which igzip decodes ahead. Otherwise the sound bytes before
  // the failure would depend on how many were asked for.
  Step HandOutRest(std::span<char> out) {
    const auto begin = static_cast<size_t>(state_.tmp_out_processed);
    const auto end = static_cast<size_t>(state_.tmp_out_valid);
    const size_t count = std::min(out.size(), end - std::min(begin, end));
    std::copy_n(state_.tmp_out_buffer + begin, count, out.begin());
    state_.tmp_out_processed += static_cast<int32_t>(count);
    Step step{.produced = count};
    if (begin + count >= end) step.cause = cause_;
    return step;
  }

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

  inflate_state state_;
  bool any_member_ = false;
  int stalls_ = 0;
  // The cause of the failure, kept until everything before it was returned.
  std::string_view cause_;
};

}  // namespace

bool StartsAsGzip(std::string_view bytes) { return kGzipMagic.starts_with(bytes); }

std::unique_ptr<FrameDecoder> MakeGzipDecoder() { return std::make_unique<GzipDecoder>(); }

}  // namespace zhiwen
