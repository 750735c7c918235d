#ifndef ZHIWEN_INDEX_HAMMING_HALF_KEYS_H_
#define ZHIWEN_INDEX_HAMMING_HALF_KEYS_H_

// Looks up codes by both of their halves. Within distance r of a query, either the low halves
// differ in at most ⌊r/2⌋ bits or the high halves in at most ⌊(r−1)/2⌋. So the low half is looked
// up with every flip of up to ⌊r/2⌋ bits, and the high half with every flip of up to ⌊(r−1)/2⌋: 66
// look-ups for r = 3. This is the pigeonhole principle of G. S. Manku, A. Jain, A. Das Sarma,
// "Detecting Near-Duplicates for Web Crawling", 2007, §3, with radii for the parts: M. Norouzi, A.
// Punjani, D. Fleet, "Fast Search in Hamming Space with Multi-Index Hashing", 2012, §3.
//
// Where a table keeps the lowest bits of its keys side by side, all flips of these bits alone are
// one look-up: 50 for r = 3 where it keeps eight bits.
//
// A table is any class with
//   Status VisitNear(std::span<const uint32_t> mixed, const LineTable::Near& near, size_t limit,
//                    std::vector<uint32_t>& scratch, const Visit& visit, const Cut& cut) const
// which calls visit(place, bits, value) at least for every near value of each key that has one, and
// cut(place) for a key of which only `limit` values were visited.

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
#include "index/line_table/mix_key.h"
#include "kernels/kernels.h"
#include "zhiwen/result.h"

namespace zhiwen {

// The number of codes sharing a half that are examined for one flip.
inline constexpr size_t kHalfScanLimit = size_t{1} << 20;
// Where there are at most this many times as many codes, comparing all of them takes no longer than
// the work on a query before it is truncated.
inline constexpr size_t kScansOfTruncated = 16;

struct CodeHalves {
  std::array<uint32_t, 2> of;  // the low half, the high half
};

// Codes have 64 bits, or 32 with the upper 32 bits 0.
struct HalfKeyPlan {
  uint32_t code_bits = 64;
  uint32_t radius = 0;
  // The number of low bits that the tables' mixing of keys keeps, and of these, the bits whose
  // flips are looked up together.
  uint32_t mixed_kept_bits = 0;
  std::array<uint32_t, 2> kept_bits = {0, 0};  // at most mixed_kept_bits

  uint32_t half_bits() const { return code_bits / 2; }
  CodeHalves HalvesOf(uint64_t code) const {
    return {{static_cast<uint32_t>(code & ((uint64_t{1} << half_bits()) - 1)),
             static_cast<uint32_t>(code >> half_bits())}};
  }
  uint64_t CodeOf(const CodeHalves& halves) const {
    return static_cast<uint64_t>(halves.of[1]) << half_bits() | halves.of[0];
  }

  // Returns the radii of the halves.
  std::array<uint32_t, 2> radii() const { return {radius / 2, radius == 0 ? 0 : (radius - 1) / 2}; }
  // Returns how many bits of a half are flipped one by one.
  uint32_t flipped_bits(size_t table) const { return half_bits() - kept_bits[table]; }
  // Returns the look-ups of a query, or 0 where the radius is too large for this plan.
  uint64_t look_ups() const {
    if (radius > 2 * kMaxFlippedBits) return 0;
    return FlipCount(flipped_bits(0), radii()[0]) +
           (radius == 0 ? 0 : FlipCount(flipped_bits(1), radii()[1]));
  }
  // Returns look_ups(), or 0 also where comparing all of `codes` with all queries takes less time.
  uint64_t look_ups_among(uint64_t codes, size_t queries, double nanoseconds_of_look_up) const {
    const double all = CodeScan::Nanoseconds(queries) * static_cast<double>(codes);
    const auto count = static_cast<double>(look_ups()) * static_cast<double>(queries);
    return nanoseconds_of_look_up * count < all ? look_ups() : 0;
  }
};

template <typename Table>
class HalfKeyQuery {
 public:
  // Takes the tables by the low and by the high half. `limit` is how many codes of one half are
  // examined. All arguments must outlive the object.
  HalfKeyQuery(const std::array<Table, 2>& tables, const HalfKeyPlan& plan, size_t limit)
      : tables_(tables), plan_(plan), limit_(limit) {}

  // Appends to `answer` as HammingIndex::Query does. The plan must have look-ups.
  Status Run(std::span<const uint64_t> queries, HammingAnswer& answer) {
    const size_t flips = FlipCount(plan_.flipped_bits(0), plan_.radii()[0]);
    const size_t together = std::max<size_t>(1, kLookUps / flips);
    for (size_t begin = 0; begin < queries.size(); begin += together) {
      queries_ = queries.subspan(begin, std::min(together, queries.size() - begin));
      first_query_ = static_cast<uint32_t>(begin);
      ZHIWEN_RETURN_IF_ERROR(RunBlock(answer));
    }
    return {};
  }

  // Does the same for an index of `codes` codes. Queries that would be truncated are answered by
  // go_through(queries, answer), which compares all codes, if that takes no longer.
  template <typename GoThrough>
  Status RunExactly(std::span<const uint64_t> queries, uint64_t codes, HammingAnswer& answer,
                    const GoThrough& go_through) {
    const size_t matches = answer.matches.size(), before = answer.truncated.size();
    ZHIWEN_RETURN_IF_ERROR(Run(queries, answer));
    const std::vector<uint32_t> cut(answer.truncated.begin() + static_cast<ptrdiff_t>(before),
                                    answer.truncated.end());
    if (cut.empty() || codes / kScansOfTruncated > limit_) return {};
    std::vector<uint64_t> again(cut.size());
    std::ranges::transform(cut, again.begin(), [&](uint32_t query) { return queries[query]; });
    const auto is_cut = [&](const HammingMatch& match) {
      return std::ranges::binary_search(cut, match.query);
    };
    const auto first = answer.matches.begin() + static_cast<ptrdiff_t>(matches);
    answer.matches.erase(std::remove_if(first, answer.matches.end(), is_cut), answer.matches.end());
    HammingAnswer scanned;
    ZHIWEN_RETURN_IF_ERROR(go_through(again, scanned));
    for (HammingMatch match : scanned.matches) {
      match.query = cut[match.query];
      answer.matches.push_back(match);
    }
    answer.truncated.resize(before);
    SortMatches(answer, matches);
    return {};
  }

 private:
  // Look-ups at a time, whose keys fit the first-level cache.
  static constexpr size_t kLookUps = 2112;

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

  // Looks up the halves of one table with all flips, as many at a time as there is room for.
  Status LookUp(size_t table, HammingAnswer& answer) {
    const uint32_t kept = plan_.kept_bits[table];
    const std::span<const uint32_t> all = Flips(plan_.flipped_bits(table), plan_.radii()[table]);
    for (size_t begin = 0; begin < all.size(); begin += kLookUps) {
      const auto some = all.subspan(begin, std::min(kLookUps, all.size() - begin));
      flips_.resize(some.size());
      for (size_t i = 0; i < some.size(); ++i) flips_[i] = some[i] << kept;
      keys_.resize(queries_.size() * flips_.size());
      AskNear(table);
      MixKeys(table);
      const auto visit = [&](size_t place, uint32_t bits, uint32_t value) {
        const Looked looked = {.query = place / flips_.size(),
                               .flip = flips_[place % flips_.size()] ^ bits};
        Report(table, looked, value, answer);
      };
      const auto cut = [&](size_t place) {
        answer.truncated.push_back(first_query_ + static_cast<uint32_t>(place / flips_.size()));
      };
      const LineTable::Near near = {.others = others_,
                                    .bounds = bounds_,
                                    .loose = kept == 0 ? std::span<const uint32_t>() : loose_};
      ZHIWEN_RETURN_IF_ERROR(tables_[table].VisitNear(keys_, near, limit_, scratch_, visit, cut));
    }
    return {};
  }

  void MixKeys(size_t table) {
    const size_t flips = flips_.size();
    const uint32_t kept = plan_.mixed_kept_bits;
    for (size_t q = 0; q < queries_.size(); ++q) {
      const uint32_t half = plan_.HalvesOf(queries_[q]).of[table];
      if (flips == 1) {
        keys_[q] = MixKey(half ^ flips_[0], kept);
      } else {
        ActiveKernels().mix_keys(half, flips_.data(), flips, kept, keys_.data() + q * flips);
      }
    }
  }

  // Sets how near the other half of a code must be, so that both halves together are within the
  // radius, and which kept bits may be flipped in addition, if the radius of the half allows it.
  void AskNear(size_t table) {
    others_.resize(queries_.size());
    for (size_t q = 0; q < queries_.size(); ++q) {
      others_[q] = plan_.HalvesOf(queries_[q]).of[1 - table];
    }
    bounds_.resize(flips_.size());
    loose_.resize(flips_.size());
    const uint32_t kept = ~(~uint32_t{0} << plan_.kept_bits[table]);
    for (size_t i = 0; i < flips_.size(); ++i) {
      const auto flipped = static_cast<uint32_t>(std::popcount(flips_[i]));
      bounds_[i] = plan_.radius - flipped;
      loose_[i] = flipped < plan_.radii()[table] ? kept : 0;
    }
  }

  // A half that was found, with its flipped bits.
  struct Looked {
    size_t query = 0;  // among the queries looked up together
    uint32_t flip = 0;
  };

  // Reports a code. A code that both tables find is reported by the first, unless the first does
  // not examine all codes.
  void Report(size_t table, const Looked& looked, uint32_t value, HammingAnswer& answer) const {
    const size_t q = looked.query;
    const CodeHalves query = plan_.HalvesOf(queries_[q]);
    const auto here = static_cast<uint32_t>(std::popcount(looked.flip));
    const auto there = static_cast<uint32_t>(std::popcount(value ^ query.of[1 - table]));
    if (here + there > plan_.radius || here > plan_.radii()[table]) return;
    if (table == 1 && there <= plan_.radii()[0] && !IsTruncated(q, answer)) return;
    const uint32_t half = query.of[table] ^ looked.flip;
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
  std::span<const uint64_t> queries_;  // queries looked up together
  uint32_t first_query_ = 0;           // the number of the first in its batch
  ptrdiff_t first_truncated_ = 0;      // of these, in the answer
  std::vector<uint32_t> flips_, keys_, others_, bounds_, loose_, scratch_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_HAMMING_HALF_KEYS_H_
