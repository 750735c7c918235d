#include "pipeline/dedup/input/text_features.h"

#include "feature/shingles.h"
#include "pipeline/dedup/input/large_blocks.h"
#include "text/channel_view.h"

namespace zhiwen {

void TextFeatures::Read(std::string_view utf8) {
  symbols_.clear();
  channel_.view().ComputeInto(utf8, symbols_);
}

bool TextFeatures::has_shingles() const { return symbols_.size() >= kShingleLength; }

Hash128 TextFeatures::SymbolHash() const {
  const auto* bytes = reinterpret_cast<const char*>(symbols_.data());
  return HashBytes128({bytes, symbols_.size() * sizeof(uint32_t)});
}

std::span<const uint64_t> TextFeatures::Shingles() {
  ComputeShingles(symbols_, shingles_);
  return shingles_;
}

void TextFeatures::TakeShingleSet(std::vector<uint64_t>& set) {
  Shingles();
  MakeShingleSet(shingles_, scratch_);
  set.assign(shingles_.begin(), shingles_.end());
}

void TextFeatures::Shrink(uint64_t large_bytes) {
  ShrinkLarge(symbols_, large_bytes);
  ShrinkLarge(shingles_, large_bytes);
  ShrinkLarge(scratch_, large_bytes);
}

}  // namespace zhiwen
