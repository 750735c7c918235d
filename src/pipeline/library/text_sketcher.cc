#include "pipeline/library/text_sketcher.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/hash.h"
#include "base/value_bytes.h"
#include "feature/shingles.h"
#include "fingerprint/winnowing.h"
#include "text/fold.h"
#include "zhiwen/scheme.h"

namespace zhiwen {
namespace {

// Returns the blocks that the scheme winnowing selects so that every shared run of `run` symbols is
// found; of the least run, all blocks.
SelectedShingles Winnow(std::span<const uint32_t> symbols, size_t run) {
  Winnower winnower({.block = kPassageBlock, .window = run - kPassageBlock + 1});
  SelectedShingles selected;
  for (const uint32_t symbol : symbols) {
    winnower.Add({.hash = HashBytes64(BytesOfValue(symbol)), .source = {}}, selected);
  }
  winnower.AddOfShortRun(selected);
  return selected;
}

std::string CanonicalName(const std::string& name) {
  const auto scheme = Scheme::Create(name);
  return scheme ? (*scheme)->canonical_name() : std::string();
}

}  // namespace

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
  for (const SelectedShingle& block : Winnow(symbols_, kPassageRun)) {
    sketch.selected.push_back(block.hash);
  }
  std::ranges::sort(sketch.selected);
  const auto repeats = std::ranges::unique(sketch.selected);
  sketch.selected.erase(repeats.begin(), repeats.end());
  return sketch;
}

std::vector<BlockAt> TextSketcher::Blocks() const {
  std::vector<BlockAt> blocks;
  for (const SelectedShingle& block : Winnow(symbols_, kPassageBlock)) {
    blocks.push_back({.hash = block.hash, .begin = {block.position}});
  }
  return blocks;
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
  static const std::string name =
      CanonicalName(fmt::format("minhash(permutations={})", kSignatureSize));
  return name;
}

const std::string& PassageScheme() {
  static const std::string name =
      CanonicalName(fmt::format("winnowing({},k={})", kPassageRun, kPassageBlock));
  return name;
}

}  // namespace zhiwen
