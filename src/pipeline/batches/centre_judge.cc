#include "pipeline/batches/centre_judge.h"

#include <fmt/format.h>

#include "base/compress/zstd_frame.h"
#include "feature/shingles.h"
#include "match/similarity.h"
#include "text/fold.h"

namespace zhiwen {

Result<CentreJudge> CentreJudge::Create(const ClusterStore& store, double least_resemblance) {
  ZHIWEN_ASSIGN_OR_RETURN(FrameCompressor compressor, FrameCompressor::Create(Compression::kZstd));
  return CentreJudge(store, least_resemblance, std::move(compressor));
}

void CentreJudge::Begin(std::string_view text) {
  text_ = text;
  has_shingles_ = false;
  resemblance_ = 1;
}

Result<bool> CentreJudge::Accepts(uint64_t centre) {
  if (!has_shingles_) ReadShingles(text_, shingles_);
  has_shingles_ = true;
  ZHIWEN_ASSIGN_OR_RETURN(const CompressedText stored, store_->TextOf(centre));
  ZHIWEN_ASSIGN_OR_RETURN(
      const std::string text,
      DecompressZstdFrame(stored.zstd, stored.bytes, fmt::format("the text of centre {}", centre)));
  ReadShingles(text, of_centre_);
  const SetOverlap overlap = ComputeOverlap(shingles_, of_centre_);
  const bool is_short = shingles_.empty() && of_centre_.empty();
  resemblance_ = is_short ? (text == text_ ? 1 : 0) : overlap.Resemblance();
  return is_short ? text == text_ : overlap.Reaches(least_);
}

Result<CompressedText> CentreJudge::Compress() {
  CompressedText text = {.bytes = text_.size()};
  ZHIWEN_RETURN_IF_ERROR(compressor_.Compress(text_, text.zstd));
  return text;
}

void CentreJudge::ReadShingles(std::string_view text, std::vector<uint64_t>& shingles) {
  symbols_.clear();
  FoldInto(text, symbols_);
  ComputeShingles(symbols_, shingles);
  MakeShingleSet(shingles, scratch_);
}

}  // namespace zhiwen
