#include "match/passages/aligned_symbols.h"

#include <algorithm>

#include "match/passages/extend_ends.h"

namespace zhiwen {
namespace {

constexpr uint32_t kNever = UINT32_MAX / 2;  // the cost of what lies outside of the band

// A part of both texts that is aligned: half open.
struct Gap {
  uint32_t a_begin, a_end, b_begin, b_end;
};

// The costs of aligning the first symbols of both sides of a gap, for the pairs of places in a band
// around the lines from corner to corner. A gap between two stretches is all in the band. An end of
// a block is longer: it was found in a band (extend_ends.h), in which its best alignment lies.
class BandOfCosts {
 public:
  void Reset(uint32_t rows, uint32_t columns) {
    const uint32_t longer = std::max(rows, columns);
    const int64_t band = longer <= kLongestGap ? longer : kBandOfExtension;
    const int64_t shift = int64_t{columns} - rows;
    low_ = std::min<int64_t>(shift, 0) - band;
    width_ = static_cast<size_t>(std::max<int64_t>(shift, 0) + band - low_ + 1);
    costs_.assign((size_t{rows} + 1) * width_, kNever);
  }

  uint32_t At(uint32_t i, uint32_t j) const { return Has(i, j) ? costs_[CellOf(i, j)] : kNever; }
  void Set(uint32_t i, uint32_t j, uint32_t cost) { costs_[CellOf(i, j)] = cost; }

  // The columns of a row that are in the band, of so many.
  uint32_t FirstOf(uint32_t i) const {
    return static_cast<uint32_t>(std::max<int64_t>(int64_t{i} + low_, 0));
  }
  uint32_t LastOf(uint32_t i, uint32_t columns) const {
    const int64_t last = int64_t{i} + low_ + static_cast<int64_t>(width_) - 1;
    return static_cast<uint32_t>(std::min<int64_t>(last, columns));
  }

 private:
  bool Has(uint32_t i, uint32_t j) const {
    const int64_t cell = int64_t{j} - i - low_;
    return cell >= 0 && cell < static_cast<int64_t>(width_);
  }
  size_t CellOf(uint32_t i, uint32_t j) const {
    return i * width_ + static_cast<size_t>(int64_t{j} - i - low_);
  }

  int64_t low_ = 0;  // the least j − i
  size_t width_ = 1;
  std::vector<uint32_t> costs_;
};

class GapAligner {
 public:
  GapAligner(std::span<const uint32_t> a, std::span<const uint32_t> b,
             std::vector<AlignedSymbols>& pairs)
      : a_(a), b_(b), pairs_(pairs) {}

  void Align(const Gap& gap) {
    const uint32_t rows = gap.a_end - gap.a_begin, columns = gap.b_end - gap.b_begin;
    costs_.Reset(rows, columns);
    for (uint32_t i = 0; i <= rows; ++i) {
      for (uint32_t j = costs_.FirstOf(i); j <= costs_.LastOf(i, columns); ++j) {
        costs_.Set(i, j, CostAt(gap, i, j));
      }
    }
    const size_t first = pairs_.size();
    uint32_t i = rows, j = columns;
    while (i > 0 || j > 0) {
      const uint32_t cost = costs_.At(i, j);
      const bool are_equal = i > 0 && j > 0 && AreEqual(gap, i, j);
      if (i > 0 && j > 0 && cost == costs_.At(i - 1, j - 1) + (are_equal ? 0 : 1)) {
        pairs_.push_back({gap.a_begin + --i, gap.b_begin + --j, are_equal});
      } else if (i > 0 && cost == costs_.At(i - 1, j) + 1) {
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

  uint32_t CostAt(const Gap& gap, uint32_t i, uint32_t j) const {
    if (i == 0 || j == 0) return i + j;
    const uint32_t pair = costs_.At(i - 1, j - 1) + (AreEqual(gap, i, j) ? 0 : 1);
    return std::min({pair, costs_.At(i - 1, j) + 1, costs_.At(i, j - 1) + 1});
  }

  const std::span<const uint32_t> a_, b_;
  std::vector<AlignedSymbols>& pairs_;
  BandOfCosts costs_;
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
