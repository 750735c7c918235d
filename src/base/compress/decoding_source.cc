#include "base/compress/decoding_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace zhiwen {
namespace {

constexpr size_t kSkippedAtOnce = size_t{64} << 10;

}  // namespace

tl::unexpected<Error> FailCorrupt(const FramePlace& place, std::string_view cause) {
  return Fail(ErrorCode::kUnreadable, fmt::format("cannot read \"{}\": corrupt {} at byte {}: {}",
                                                  place.path, place.noun, place.start, cause));
}

tl::unexpected<Error> FailSkip(const std::string& path, uint64_t bytes, uint64_t left) {
  return Fail(ErrorCode::kUnreadable,
              fmt::format("cannot read \"{}\": its content ends {} bytes into the {} to be passed "
                          "over; has the file changed?",
                          path, left, bytes));
}

DecodingSource::DecodingSource(FilePieces pieces, std::unique_ptr<FrameDecoder> decoder)
    : pieces_(std::move(pieces)), decoder_(std::move(decoder)) {}

Result<size_t> DecodingSource::Read(std::span<char> out) {
  done_ = {};
  if (failure_.has_value()) return tl::unexpected<Error>(*failure_);
  Result<size_t> count = ReadFrames(out);
  if (!count) failure_ = count.error();
  return count;
}

Status DecodingSource::Skip(uint64_t bytes) {
  if (failure_.has_value()) return tl::unexpected<Error>(*failure_);
  Status skipped = SkipByReading(bytes);
  if (!skipped) failure_ = skipped.error();
  return skipped;
}

Status DecodingSource::SkipByReading(uint64_t bytes) {
  std::vector<char> passed(static_cast<size_t>(std::min<uint64_t>(bytes, kSkippedAtOnce)));
  for (uint64_t left = bytes; left > 0;) {
    const size_t wanted = static_cast<size_t>(std::min<uint64_t>(left, passed.size()));
    ZHIWEN_ASSIGN_OR_RETURN(const size_t count, ReadFrames(std::span(passed).first(wanted)));
    left -= count;
    if (count < wanted) return FailSkip(pieces_.path(), bytes, bytes - left);
  }
  return {};
}

Result<size_t> DecodingSource::ReadFrames(std::span<char> out) {
  done_ = {};
  while (done_.bytes < out.size()) {
    if (!in_frame_) {
      ZHIWEN_ASSIGN_OR_RETURN(const bool another, StartFrame());
      if (!another) break;
    }
    ZHIWEN_RETURN_IF_ERROR(DecodeSome(out.subspan(done_.bytes)));
  }
  return done_.bytes;
}

Result<bool> DecodingSource::StartFrame() {
  using Next = FrameDecoder::Next;
  ZHIWEN_ASSIGN_OR_RETURN(const std::string_view first, pieces_.Peek(1));
  frame_start_ = pieces_.offset();
  if (first.empty()) {
    if (!any_frame_) return FailTruncated();
    return false;
  }
  ZHIWEN_ASSIGN_OR_RETURN(const Next next, decoder_->Start(pieces_));
  switch (next) {
    case Next::kFrame:
      break;
    case Next::kTruncated:
      return FailTruncated();
    case Next::kEnd:
      return false;
    case Next::kGarbage:
      done_.ends_whole = any_frame_;
      return Fail(ErrorCode::kUnreadable,
                  fmt::format("cannot read \"{}\": no {} at byte {}{}", pieces_.path(),
                              decoder_->noun(), pieces_.offset(),
                              any_frame_ ? ", where garbage follows the last; cut it off" : ""));
  }
  in_frame_ = true;
  any_frame_ = true;
  return true;
}

Status DecodingSource::DecodeSome(std::span<char> out) {
  ZHIWEN_ASSIGN_OR_RETURN(const std::string_view in, pieces_.Peek(1));
  const FrameDecoder::Step step = decoder_->Decode(in, out);
  pieces_.Consume(step.consumed);
  done_.bytes += step.produced;
  if (!step.cause.empty()) {
    if (step.code == ErrorCode::kUnreadable) {
      return FailCorrupt({pieces_.path(), decoder_->noun(), frame_start_}, step.cause);
    }
    return Fail(step.code, fmt::format("cannot read \"{}\": {} at byte {}: {}", pieces_.path(),
                                       decoder_->noun(), frame_start_, step.cause));
  }
  // At the end of the file the decoder may still hold content, which it returns without input.
  if (in.empty() && step.produced == 0 && !step.ended) return FailTruncated();
  in_frame_ = !step.ended;
  return {};
}

tl::unexpected<Error> DecodingSource::FailTruncated() const {
  return Fail(ErrorCode::kUnreadable, fmt::format("cannot read \"{}\": truncated {} at byte {}",
                                                  pieces_.path(), decoder_->noun(), frame_start_));
}

}  // namespace zhiwen
