#ifndef ZHIWEN_INDEX_HAMMING_HALF_KEYS_H_
#define ZHIWEN_INDEX_HAMMING_HALF_KEYS_H_

// Codes by both of their halves: within distance r of a query, either the low halves differ in at
// most ⌊r/2⌋ bits or the high ones in at most ⌊(r−1)/2⌋. So the low half is looked up with every
// flip of up to ⌊r/2⌋ bits, the high one with every flip of up to ⌊(r−1)/2⌋: 66 look-ups for r = 3.
// The pigeonhole of G. S. Manku, A. Jain, A. Das Sarma, "Detecting Near-Duplicates for Web
// Crawling", 2007, §3, with radii for the parts: M. Norouzi, A. Punjani, D. Fleet, "Fast Search in
// Hamming Space with Multi-Index Hashing", 2012, §3.
//
// A table is anything with
//   Status VisitKeys(std::span<const uint32_t> mixed, const LineTable::Near& near, size_t limit,
//                    std::vector<uint32_t>& scratch, const Visit& visit, const Cut& cut) const
// which calls visit(place, value) for every value of each key that has one which is near, at least,
// and cut(place) for a key of which only `limit` values were visited.

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "index/hamming/flips.h"
#include "index/hamming/hamming_index.h"
#include "index/line_table/line_table.h"
#include "kernels/kernels.h"
#include "zhiwen/result.h"

namespace zhiwen {

// Codes that share a half, looked at for one flip.
inline constexpr size_t kHalfScanLimit = size_t{1} << 20;

struct CodeHalves {
  std::array<uint32_t, 2> of;  // the low one, the high one
};

// Which bits a half has: the low or high ones, or the even or odd ones, so that bits side by side
// that are equal in many codes are shared by both halves, and neither is one of many codes
// (docs/decisions/015-halves-are-even-and-odd-bits.md).
enum class CodeSplit { kLowHigh, kEvenOdd };

// The even bits of a code side by side, and back.
constexpr uint32_t EvenBitsOf(uint64_t code) {
  code &= 0x5555555555555555;
  code = (code | code >> 1) & 0x3333333333333333;
  code = (code | code >> 2) & 0x0F0F0F0F0F0F0F0F;
  code = (code | code >> 4) & 0x00FF00FF00FF00FF;
  code = (code | code >> 8) & 0x0000FFFF0000FFFF;
  return static_cast<uint32_t>(code | code >> 16);
}
constexpr uint64_t CodeOfEvenBits(uint32_t bits) {
  uint64_t code = bits;
  code = (code | code << 16) & 0x0000FFFF0000FFFF;
  code = (code | code << 8) & 0x00FF00FF00FF00FF;
  code = (code | code << 4) & 0x0F0F0F0F0F0F0F0F;
  code = (code | code << 2) & 0x3333333333333333;
  return (code | code << 1) & 0x5555555555555555;
}

// Of codes of 64 bits, or of 32, whose upper 32 bits are 0.
struct HalfKeyPlan {
  uint32_t code_bits = 64;
  uint32_t radius = 0;
  CodeSplit split = CodeSplit::kLowHigh;

  uint32_t half_bits() const { return code_bits / 2; }
  CodeHalves HalvesOf(uint64_t code) const {
    if (split == CodeSplit::kEvenOdd) return {{EvenBitsOf(code), EvenBitsOf(code >> 1)}};
    return {{static_cast<uint32_t>(code & ((uint64_t{1} << half_bits()) - 1)),
             static_cast<uint32_t>(code >> half_bits())}};
  }
  uint64_t CodeOf(const CodeHalves& halves) const {
    if (split == CodeSplit::kEvenOdd) {
      return CodeOfEvenBits(halves.of[1]) << 1 | CodeOfEvenBits(halves.of[0]);
    }
    return static_cast<uint64_t>(halves.of[1]) << half_bits() | halves.of[0];
  }

  // Of the halves.
  std::array<uint32_t, 2> radii() const { return {radius / 2, radius == 0 ? 0 : (radius - 1) / 2}; }
  // Of a query; 0 where the radius is too large for this plan.
  uint64_t look_ups() const {
    if (radius > 2 * kMaxFlippedBits) return 0;
    return FlipCount(half_bits(), radii()[0]) +
           (radius == 0 ? 0 : FlipCount(half_bits(), radii()[1]));
  }
  // The same, and 0 also where comparing all of `codes` with all queries takes less time.
  uint64_t look_ups_among(uint64_t codes, size_t queries, double nanoseconds_of_look_up) const {
    const double all = CodeScan::Nanoseconds(queries) * static_cast<double>(codes);
    const auto count = static_cast<double>(look_ups()) * static_cast<double>(queries);
    return nanoseconds_of_look_up * count < all ? look_ups() : 0;
  }
};

template <typename Table>
class HalfKeyQuery {
 public:
  // The tables by the low and by the high half. `limit` is how many codes of one half are looked
  // at. All must outlive the object.
  HalfKeyQuery(const std::array<Table, 2>& tables, const HalfKeyPlan& plan, size_t limit)
      : tables_(tables), plan_(plan), limit_(limit) {}

  // Appends to `answer` as HammingIndex::Query. The plan has look-ups.
  Status Run(std::span<const uint64_t> queries, HammingAnswer& answer) {
    const size_t flips = FlipCount(plan_.half_bits(), plan_.radii()[0]);
    const size_t together = std::max<size_t>(1, kLookUps / flips);
    for (size_t begin = 0; begin < queries.size(); begin += together) {
      queries_ = queries.subspan(begin, std::min(together, queries.size() - begin));
      first_query_ = static_cast<uint32_t>(begin);
      ZHIWEN_RETURN_IF_ERROR(RunBlock(answer));
    }
    return {};
  }

 private:
  static constexpr size_t kLookUps = 2112;  // at a time: their keys fit the first-level cache

  Status RunBlock(HammingAnswer& answer) {
    const auto matches = static_cast<ptrdiff_t>(answer.matches.size());
    first_truncated_ = static_cast<ptrdiff_t>(answer.truncated.size());
    ZHIWEN_RETURN_IF_ERROR(LookUp(0, answer));
    if (plan_.radius > 0) ZHIWEN_RETURN_IF_ERROR(LookUp(1, answer));
    SortMatches(answer, static_cast<size_t>(matches));
    const auto begin = answer.truncated.begin() + first_truncated_;
    if (begin == answer.truncated.end()) return {};
    std::sort(begin, answer.truncated.end());
    answer.truncated.erase(std::unique(begin, answer.truncated.end()), answer.truncated.end());
    const auto first = answer.matches.begin() + matches;
    answer.matches.erase(std::unique(first, answer.matches.end()), answer.matches.end());
    return {};
  }

  // Looks the halves of one table up with all flips, as many at a time as there is room for.
  Status LookUp(size_t table, HammingAnswer& answer) {
    const std::span<const uint32_t> all = Flips(plan_.half_bits(), plan_.radii()[table]);
    for (size_t begin = 0; begin < all.size(); begin += kLookUps) {
      const auto flips = all.subspan(begin, std::min(kLookUps, all.size() - begin));
      keys_.resize(queries_.size() * flips.size());
      AskNear(table, flips);
      for (size_t q = 0; q < queries_.size(); ++q) {
        ActiveKernels().mix_keys(plan_.HalvesOf(queries_[q]).of[table], flips.data(), flips.size(),
                                 keys_.data() + q * flips.size());
      }
      Looked looked;
      size_t looked_at = SIZE_MAX;
      const auto visit = [&](size_t place, uint32_t value) {
        if (place != looked_at) {
          looked = {.query = place / flips.size(), .flip = flips[place % flips.size()]};
          looked.other = plan_.HalvesOf(queries_[looked.query]).of[1 - table];
          looked_at = place;
        }
        Report(table, looked, value, answer);
      };
      const auto cut = [&](size_t place) {
        answer.truncated.push_back(first_query_ + static_cast<uint32_t>(place / flips.size()));
      };
      const LineTable::Near near = {.others = others_, .bounds = bounds_};
      ZHIWEN_RETURN_IF_ERROR(tables_[table].VisitKeys(keys_, near, limit_, scratch_, visit, cut));
    }
    return {};
  }

  // What the other half of a code may be: so near that both flips are within the radius.
  void AskNear(size_t table, std::span<const uint32_t> flips) {
    others_.resize(queries_.size());
    for (size_t q = 0; q < queries_.size(); ++q) {
      others_[q] = plan_.HalvesOf(queries_[q]).of[1 - table];
    }
    bounds_.resize(flips.size());
    for (size_t i = 0; i < flips.size(); ++i) {
      bounds_[i] = plan_.radius - static_cast<uint32_t>(std::popcount(flips[i]));
    }
  }

  // A half that is looked up, with so many bits of it changed, and the other half of the query.
  struct Looked {
    size_t query = 0;  // of those that are looked up together
    uint32_t flip = 0;
    uint32_t other = 0;
  };

  // What both tables find is reported by the first, unless that does not look at everything.
  void Report(size_t table, const Looked& looked, uint32_t value, HammingAnswer& answer) const {
    const auto here = static_cast<uint32_t>(std::popcount(looked.flip));
    const auto there = static_cast<uint32_t>(std::popcount(value ^ looked.other));
    if (here + there > plan_.radius) return;
    const size_t q = looked.query;
    if (table == 1 && there <= plan_.radii()[0] && !IsTruncated(q, answer)) return;
    const uint32_t half = plan_.HalvesOf(queries_[q]).of[table] ^ looked.flip;
    const CodeHalves found = table == 0 ? CodeHalves{{half, value}} : CodeHalves{{value, half}};
    answer.matches.push_back(
        {first_query_ + static_cast<uint32_t>(q), here + there, plan_.CodeOf(found)});
  }

  bool IsTruncated(size_t q, const HammingAnswer& answer) const {
    const auto begin = answer.truncated.begin() + first_truncated_;
    return std::find(begin, answer.truncated.end(), first_query_ + q) != answer.truncated.end();
  }

  const std::array<Table, 2>& tables_;
  const HalfKeyPlan plan_;
  const size_t limit_;
  std::span<const uint64_t> queries_;  // those that are looked up together
  uint32_t first_query_ = 0;           // the number of the first in its batch
  ptrdiff_t first_truncated_ = 0;      // of these, in the answer
  std::vector<uint32_t> keys_, others_, bounds_, scratch_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_HAMMING_HALF_KEYS_H_
