#include "pipeline/library/text_sketcher.h"

#include <fmt/format.h>

#include <utility>

#include "feature/shingles.h"
#include "text/fold.h"
#include "zhiwen/scheme.h"

namespace zhiwen {

Result<TextSketcher> TextSketcher::Create() {
  ZHIWEN_ASSIGN_OR_RETURN(OnePermutationMinHash minhash,
                          OnePermutationMinHash::Create(kSignatureSize));
  ZHIWEN_ASSIGN_OR_RETURN(FrameCompressor compressor, FrameCompressor::Create(Compression::kZstd));
  return TextSketcher(std::move(minhash), std::move(compressor));
}

TextSketch TextSketcher::Sketch(std::string_view utf8) {
  TextSketch sketch;
  const std::span<const uint64_t> shingles = ShingleSet(utf8);
  sketch.shingles.assign(shingles.begin(), shingles.end());
  sketch.keys.content = HashBytes128(utf8);
  sketch.keys.exact = HashExactChannel(utf8);
  sketch.keys.folded = HashBytes128(
      {reinterpret_cast<const char*>(symbols_.data()), symbols_.size() * sizeof(uint32_t)});
  sketch.keys.units = symbols_.size();
  sketch.keys.bytes = utf8.size();
  sketch.signature.resize(kSignatureSize);
  minhash_.Compute(sketch.shingles, sketch.signature);
  return sketch;
}

std::span<const uint64_t> TextSketcher::ShingleSet(std::string_view utf8) {
  symbols_.clear();
  FoldInto(utf8, symbols_);
  ComputeShingles(symbols_, shingles_);
  MakeShingleSet(shingles_, scratch_);
  return shingles_;
}

Result<std::string> TextSketcher::Compress(std::string_view utf8) {
  std::string frame;
  ZHIWEN_RETURN_IF_ERROR(compressor_.Compress(utf8, frame));
  return frame;
}

const std::string& SignatureScheme() {
  static const std::string name = [] {
    const auto scheme = Scheme::Create(fmt::format("minhash(permutations={})", kSignatureSize));
    return scheme ? (*scheme)->canonical_name() : std::string();
  }();
  return name;
}

}  // namespace zhiwen
