#include "base/compress/inflater.h"

#include <algorithm>

namespace zhiwen {
namespace {

// A bound on consecutive calls that neither consume nor produce a byte, which should not happen.
constexpr int kMaxStalls = 4;
// igzip counts bytes in 32 bits.
constexpr size_t kLargestPiece = size_t{1} << 30;

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

uint32_t FlagOf(Inflater::Wrapper wrapper) {
  switch (wrapper) {
    case Inflater::Wrapper::kNone:
      return ISAL_DEFLATE;
    case Inflater::Wrapper::kZlib:
      return ISAL_ZLIB;
    case Inflater::Wrapper::kGzip:
      return ISAL_GZIP;
    case Inflater::Wrapper::kGzipTrailer:
      return ISAL_GZIP_NO_HDR_VER;  // CRC-32 and length of the trailer are checked
  }
  return ISAL_DEFLATE;
}

}  // namespace

Inflater::Inflater(Wrapper wrapper) {
  isal_inflate_init(&state_);
  state_.crc_flag = FlagOf(wrapper);
}

void Inflater::Reset() {
  isal_inflate_reset(&state_);
  cause_ = {};
}

FrameDecoder::Step Inflater::Decode(std::string_view in, std::span<char> out) {
  if (!cause_.empty()) return HandOutRest(out);
  in = in.substr(0, kLargestPiece);
  const auto room = static_cast<uint32_t>(std::min(out.size(), kLargestPiece));
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
    const FrameDecoder::Step rest = HandOutRest(out.subspan(produced));
    return {.produced = produced + rest.produced, .cause = rest.cause};
  }
  FrameDecoder::Step step = {.consumed = in.size() - state_.avail_in, .produced = produced};
  // The return value is the same for a finished stream and for one without an end.
  step.ended = state_.block_state == ISAL_BLOCK_FINISH;
  // Behind a stream without a wrapper or with that of zlib, igzip has read on.
  if (step.ended) {
    step.consumed -= std::min(step.consumed, static_cast<size_t>(state_.read_in_length / 8));
  }
  const bool stalled = !step.ended && step.consumed == 0 && step.produced == 0 && !in.empty();
  stalls_ = stalled ? stalls_ + 1 : 0;
  if (stalls_ > kMaxStalls) step.cause = "invalid deflate data";
  return step;
}

// Returns the rest of the buffer into which igzip decodes ahead. Otherwise the sound bytes before
// the failure would depend on how many were asked for.
FrameDecoder::Step Inflater::HandOutRest(std::span<char> out) {
  const auto begin = static_cast<size_t>(state_.tmp_out_processed);
  const auto end = static_cast<size_t>(state_.tmp_out_valid);
  const size_t count = std::min(out.size(), end - std::min(begin, end));
  std::copy_n(state_.tmp_out_buffer + begin, count, out.begin());
  state_.tmp_out_processed += static_cast<int32_t>(count);
  FrameDecoder::Step step{.produced = count};
  if (begin + count >= end) step.cause = cause_;
  return step;
}

}  // namespace zhiwen
