#include "base/compress/content_decoder.h"

#include <brotli/decode.h>
#include <zstd.h>

#include <algorithm>
#include <memory>
#include <new>
#include <span>

#include "base/compress/decoding_source.h"
#include "base/compress/gzip_decoder.h"
#include "base/compress/inflater.h"
#include "base/compress/zstd_decoder.h"

namespace zhiwen {
namespace {

using Step = FrameDecoder::Step;

constexpr size_t kLeastRoom = size_t{16} << 10;
constexpr int kZstdWindowLog = 23;

// Decodes the streams of one coding.
class StreamDecoder {
 public:
  virtual ~StreamDecoder() = default;
  virtual Step Decode(std::string_view in, std::span<char> out) = 0;
  // Returns whether `rest`, what follows a stream, begins another one, and prepares for it.
  virtual bool Continue(std::string_view /*rest*/) { return false; }
};

class InflateStream final : public StreamDecoder {
 public:
  explicit InflateStream(Inflater::Wrapper wrapper) : inflater_(wrapper) { inflater_.Reset(); }

  Step Decode(std::string_view in, std::span<char> out) override {
    return inflater_.Decode(in, out);
  }

  bool Continue(std::string_view rest) override {
    if (rest.size() < 2 || !StartsAsGzip(rest.substr(0, 2))) return false;
    inflater_.Reset();
    return true;
  }

 private:
  Inflater inflater_;
};

class BrotliStream final : public StreamDecoder {
 public:
  BrotliStream() : state_(BrotliDecoderCreateInstance(nullptr, nullptr, nullptr)) {
    if (state_ == nullptr) throw std::bad_alloc();
  }

  Step Decode(std::string_view in, std::span<char> out) override {
    size_t in_left = in.size(), out_left = out.size();
    const auto* next_in = reinterpret_cast<const uint8_t*>(in.data());
    auto* next_out = reinterpret_cast<uint8_t*>(out.data());
    const BrotliDecoderResult result = BrotliDecoderDecompressStream(
        state_.get(), &in_left, &next_in, &out_left, &next_out, nullptr);
    Step step = {.consumed = in.size() - in_left, .produced = out.size() - out_left};
    step.ended = result == BROTLI_DECODER_RESULT_SUCCESS;
    if (result == BROTLI_DECODER_RESULT_ERROR) step.cause = "invalid Brotli data";
    return step;
  }

 private:
  struct Free {
    void operator()(BrotliDecoderState* state) const { BrotliDecoderDestroyInstance(state); }
  };
  std::unique_ptr<BrotliDecoderState, Free> state_;
};

class ZstdStream final : public StreamDecoder {
 public:
  ZstdStream() : context_(ZSTD_createDCtx()) {
    if (context_ == nullptr) throw std::bad_alloc();
    ZSTD_DCtx_setParameter(context_.get(), ZSTD_d_windowLogMax, kZstdWindowLog);
  }

  Step Decode(std::string_view in, std::span<char> out) override {
    ZSTD_inBuffer input = {in.data(), in.size(), 0};
    ZSTD_outBuffer output = {out.data(), out.size(), 0};
    const size_t result = ZSTD_decompressStream(context_.get(), &output, &input);
    Step step = {.consumed = input.pos, .produced = output.pos, .ended = result == 0};
    if (ZSTD_isError(result) != 0) step.cause = "invalid zstd data";
    return step;
  }

  bool Continue(std::string_view rest) override {
    return rest.size() >= 4 && StartsAsZstd(rest.substr(0, 4));
  }

 private:
  struct Free {
    void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
  };
  std::unique_ptr<ZSTD_DCtx, Free> context_;
};

// RFC 1950, 2.2.
bool StartsAsZlib(std::string_view bytes) {
  if (bytes.size() < 2) return false;
  const unsigned first = static_cast<unsigned char>(bytes[0]);
  const unsigned second = static_cast<unsigned char>(bytes[1]);
  return (first & 15) == 8 && first >> 4 <= 7 && (first << 8 | second) % 31 == 0;
}

std::unique_ptr<StreamDecoder> MakeStream(std::string_view content, ContentCoding coding) {
  using enum Inflater::Wrapper;
  if (coding == ContentCoding::kBrotli) return std::make_unique<BrotliStream>();
  if (coding == ContentCoding::kZstd) return std::make_unique<ZstdStream>();
  const bool is_gzip = content.size() >= 2 && StartsAsGzip(content.substr(0, 2));
  if (coding == ContentCoding::kGzip || is_gzip) return std::make_unique<InflateStream>(kGzip);
  return std::make_unique<InflateStream>(StartsAsZlib(content) ? kZlib : kNone);
}

}  // namespace

DecodedContent DecodeContent(std::string_view content, ContentCoding coding, uint64_t most_bytes) {
  const std::unique_ptr<StreamDecoder> stream = MakeStream(content, coding);
  const uint64_t limit = std::min<uint64_t>(most_bytes, SIZE_MAX / 4) + 1;
  DecodedContent decoded;
  size_t have = 0;
  uint64_t room = std::max(kLeastRoom, 4 * content.size());
  for (bool is_done = false; !is_done;) {
    if (have == decoded.bytes.size()) {
      decoded.bytes.resize(static_cast<size_t>(std::min(room, limit)));
      room *= 2;
    }
    const std::string_view in = content.substr(decoded.used);
    const Step step = stream->Decode(in, std::span(decoded.bytes).subspan(have));
    decoded.used += step.consumed;
    have += step.produced;
    is_done = true;
    if (have == limit) {
      decoded.end = ContentEnd::kTooLarge;
      --have;
    } else if (!step.cause.empty()) {
      decoded.end = ContentEnd::kDamaged;
    } else if (step.ended) {
      is_done = !stream->Continue(content.substr(decoded.used));
    } else if (in.empty() && step.produced == 0) {
      decoded.end = ContentEnd::kCut;
    } else {
      is_done = false;
    }
  }
  decoded.bytes.resize(have);
  return decoded;
}

}  // namespace zhiwen
