#include "pipeline/dedup/input/text_pieces.h"

#include <algorithm>

#include "feature/shingles.h"
#include "text/channel_view.h"

namespace zhiwen {

void TextPieces::Walk(std::string_view utf8, const std::function<void(const Piece& piece)>& visit) {
  symbols_.clear();
  const SymbolVisitor take = [&](std::span<const uint32_t> symbols) {
    const size_t before = symbols_.size();
    symbols_.insert(symbols_.end(), symbols.begin(), symbols.end());
    ComputeShingles(symbols_, shingles_);
    visit({std::span<const uint32_t>(symbols_).subspan(before), symbols_, shingles_});
    const size_t kept = std::min(symbols_.size(), kShingleLength - 1);
    symbols_.erase(symbols_.begin(), symbols_.end() - static_cast<std::ptrdiff_t>(kept));
  };
  channel_.view().Visit(utf8, take);
}

Status TextPieces::VisitSet(std::string_view utf8,
                            const std::function<Status(std::span<const uint64_t> range)>& visit) {
  return ranges_.Visit(
      utf8.size(),
      [&](const ShingleRanges::Take& take) {
        Walk(utf8, [&](const Piece& piece) { take(piece.shingles); });
      },
      visit);
}

}  // namespace zhiwen
