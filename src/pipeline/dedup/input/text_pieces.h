#ifndef ZHIWEN_PIPELINE_DEDUP_INPUT_TEXT_PIECES_H_
#define ZHIWEN_PIPELINE_DEDUP_INPUT_TEXT_PIECES_H_

// Computes the symbols and shingles of a text of many megabytes in memory that does not depend on
// its length: it walks over the text, as often as needed, and hands out one piece after another.
//
// Guarantees  the symbols and shingles of TextFeatures, bit for bit
// Cost        Walk: as reading it whole. VisitSet: a walk for each range (feature/shingle_ranges.h)
// Threads     one object a worker

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "feature/shingle_ranges.h"
#include "zhiwen/channel.h"
#include "zhiwen/result.h"

namespace zhiwen {

class TextPieces {
 public:
  // VisitSet holds `room` shingles, and as many again to sort them.
  TextPieces(const Channel& channel, size_t room) : channel_(channel), ranges_(room) {}

  // Each symbol and each shingle is in one piece.
  struct Piece {
    std::span<const uint32_t> symbols;
    std::span<const uint32_t> with_before;  // the same after the last ones of the piece before
    std::span<const uint64_t> shingles;     // of with_before
  };
  // Visits the pieces of `utf8` (valid) in order.
  void Walk(std::string_view utf8, const std::function<void(const Piece& piece)>& visit);

  // Visits the distinct shingles ascending, a range at a time. Fails as `visit` does.
  Status VisitSet(std::string_view utf8,
                  const std::function<Status(std::span<const uint64_t> range)>& visit);

  // Gives back what VisitSet took.
  void Shrink() { ranges_.Shrink(); }

 private:
  Channel channel_;
  ShingleRanges ranges_;
  std::vector<uint32_t> symbols_;  // the last ones of the piece before, and the piece
  std::vector<uint64_t> shingles_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_INPUT_TEXT_PIECES_H_
