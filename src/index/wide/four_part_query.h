#ifndef ZHIWEN_INDEX_WIDE_FOUR_PART_QUERY_H_
#define ZHIWEN_INDEX_WIDE_FOUR_PART_QUERY_H_

// How FourPartIndex looks queries up, as many at a time as their lines are waited for together.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "index/hamming/flips.h"
#include "index/line_table/line_table.h"
#include "index/line_table/slot_array.h"
#include "index/wide/wide_hamming_index.h"

namespace zhiwen {

// Part 0 has the lowest bits.
inline uint32_t PartOf(const Code128& code, size_t part) {
  return static_cast<uint32_t>((part < 2 ? code.low : code.high) >> part % 2 * 32);
}

struct FourPartPlan {
  static constexpr size_t kParts = 4;
  static constexpr uint32_t kPartBits = 32;

  uint32_t radius = 0;

  // Of a part; −1 where it need not be looked up. With one more each they add up to radius + 1.
  int RadiusOf(size_t part) const {
    return static_cast<int>((radius + kParts - part) / kParts) - 1;
  }
  // Of a query; 0 where the radius is too large for this plan.
  uint64_t look_ups() const {
    if (RadiusOf(0) > static_cast<int>(kMaxFlippedBits)) return 0;
    uint64_t look_ups = 0;
    for (size_t p = 0; p < kParts && RadiusOf(p) >= 0; ++p) {
      look_ups += FlipCount(kPartBits, static_cast<uint32_t>(RadiusOf(p)));
    }
    return look_ups;
  }
};

// What is looked up in. All of it must outlive who uses it.
struct FourPartTables {
  const std::array<LineTable, FourPartPlan::kParts>& tables;
  const SlotArray<Code128>& codes;
  size_t limit;  // codes of one part that are looked at
};

class FourPartQuery {
 public:
  FourPartQuery(const FourPartTables& in, const FourPartPlan& plan) : in_(in), plan_(plan) {}

  // Appends to `answer` as WideHammingIndex::Query. The plan has look-ups.
  void Run(std::span<const Code128> queries, WideAnswer& answer);

 private:
  static constexpr size_t kLookUps = 1056;  // at a time: their keys fit the first-level cache

  struct Candidate {
    uint32_t query;  // of those that are looked up together
    uint32_t slot;
  };

  void RunBlock(WideAnswer& answer);
  void LookUp(size_t part, WideAnswer& answer);
  void Verify(size_t part, WideAnswer& answer);
  bool IsReportedBefore(size_t part, size_t query, const Code128& code) const;

  const FourPartTables in_;
  const FourPartPlan plan_;
  std::span<const Code128> queries_;  // those that are looked up together
  uint32_t first_query_ = 0;          // the number of the first in its batch
  std::vector<uint8_t> cut_;          // of each: a bit for every part of which not all was seen
  std::vector<uint32_t> keys_, scratch_;
  std::array<Candidate, 32> waiting_;  // whose codes are asked for
  size_t waiting_count_ = 0;
};

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_WIDE_FOUR_PART_QUERY_H_
