#include "match/passages/aligned_symbols.h"

#include <algorithm>

namespace zhiwen {
namespace {

// A part of both texts that is aligned: half open.
struct Gap {
  uint32_t a_begin, a_end, b_begin, b_end;
};

class GapAligner {
 public:
  GapAligner(std::span<const uint32_t> a, std::span<const uint32_t> b,
             std::vector<AlignedSymbols>& pairs)
      : a_(a), b_(b), pairs_(pairs) {}

  void Align(const Gap& gap) {
    const uint32_t rows = gap.a_end - gap.a_begin, columns = gap.b_end - gap.b_begin;
    const size_t width = size_t{columns} + 1;
    costs_.assign((size_t{rows} + 1) * width, 0);
    for (uint32_t i = 0; i <= rows; ++i) {
      for (uint32_t j = 0; j <= columns; ++j) {
        costs_[i * width + j] = CostAt(gap, i, j, width);
      }
    }
    const size_t first = pairs_.size();
    uint32_t i = rows, j = columns;
    while (i > 0 || j > 0) {
      const uint32_t cost = costs_[i * width + j];
      const bool are_equal = i > 0 && j > 0 && AreEqual(gap, i, j);
      if (i > 0 && j > 0 && cost == costs_[(i - 1) * width + j - 1] + (are_equal ? 0 : 1)) {
        pairs_.push_back({gap.a_begin + --i, gap.b_begin + --j, are_equal});
      } else if (i > 0 && cost == costs_[(i - 1) * width + j] + 1) {
        pairs_.push_back({.a = gap.a_begin + --i});
      } else {
        pairs_.push_back({.b = gap.b_begin + --j});
      }
    }
    std::reverse(pairs_.begin() + static_cast<ptrdiff_t>(first), pairs_.end());
  }

 private:
  bool AreEqual(const Gap& gap, uint32_t i, uint32_t j) const {
    return a_[gap.a_begin + i - 1] == b_[gap.b_begin + j - 1];
  }

  uint32_t CostAt(const Gap& gap, uint32_t i, uint32_t j, size_t width) const {
    if (i == 0 || j == 0) return i + j;
    const uint32_t pair = costs_[(i - 1) * width + j - 1] + (AreEqual(gap, i, j) ? 0 : 1);
    return std::min({pair, costs_[(i - 1) * width + j] + 1, costs_[i * width + j - 1] + 1});
  }

  const std::span<const uint32_t> a_, b_;
  std::vector<AlignedSymbols>& pairs_;
  std::vector<uint32_t> costs_;
};

}  // namespace

std::vector<AlignedSymbols> AlignBlock(std::span<const uint32_t> a, std::span<const uint32_t> b,
                                       const PassageBlock& block) {
  std::vector<AlignedSymbols> pairs;
  GapAligner aligner(a, b, pairs);
  uint32_t a_at = block.a_begin, b_at = block.b_begin;
  for (const SeedMatch& match : block.matches) {
    aligner.Align({a_at, match.a, b_at, match.b});
    for (uint32_t i = 0; i < match.length; ++i) {
      pairs.push_back({match.a + i, match.b + i, true});
    }
    a_at = match.a + match.length;
    b_at = match.b + match.length;
  }
  aligner.Align({a_at, block.a_end, b_at, block.b_end});
  return pairs;
}

}  // namespace zhiwen
