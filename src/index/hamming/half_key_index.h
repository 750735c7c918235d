#ifndef ZHIWEN_INDEX_HAMMING_HALF_KEY_INDEX_H_
#define ZHIWEN_INDEX_HAMMING_HALF_KEY_INDEX_H_

// Implements the plan of half_keys.h with two tables of cache lines, which change while they are
// used. Both tables have the bits of codes in an order (bit_order.h) that the first kOrderedAt
// codes decide.
//
// In          codes of 64 bits, or of 32; the upper 32 bits of these are 0
// Guarantees  exact for every radius, unless a query meets a half that more than `scan_limit` codes
//             share and there are more than kScansOfTruncated times as many codes
// Cost        at most 18 bytes a code from ten million on, 21.5 from a million on. Codes unlike the
//             first ones, in which other bits are equal, take 21 bytes or more, and queries take
//             two to three times as long (docs/decisions/016-flips-of-a-line.md). An insertion
//             reads two lines and moves at most seven of each table. Many codes inserted at once
//             are sorted first, which takes a third of the time; meanwhile it takes 16 bytes for
//             each of up to 2²⁴ codes, and twice the memory of a table if they are at least half of
//             the codes present. LinesFor gives the number of lines that a query reads
// Threads     const functions from many threads; the others alone
// Fails       std::bad_alloc, as operator new does: codes may be missing from then on

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "base/large_memory.h"
#include "index/hamming/bit_order.h"
#include "index/hamming/half_keys.h"
#include "index/hamming/hamming_index.h"
#include "index/hamming/third_tables.h"
#include "index/line_table/line_table.h"
#include "index/line_table/mix_key.h"

namespace zhiwen {

struct HalfKeyOptions {
  uint32_t code_bits = 64;  // or 32
  size_t scan_limit = kHalfScanLimit;
  // For codes of 64 bits: how many bits of each third are looked up as well, where thirds are
  // faster than halves, which is the case for large radii (third_tables.h). Use 21 for tens of
  // millions of codes, 0 for none.
  uint32_t third_bits = 0;
};

class HalfKeyIndex final : public MutableHammingIndex {
 public:
  // The number of codes at which all are inserted again in the chosen order, once.
  static constexpr size_t kOrderedAt = size_t{1} << 14;

  explicit HalfKeyIndex(const HalfKeyOptions& options = {});

  uint64_t size() const override { return tables_[0].size(); }
  uint64_t bytes() const override;

  uint64_t Insert(std::span<const uint64_t> codes) override;
  uint64_t Remove(std::span<const uint64_t> codes) override;
  Status Query(std::span<const uint64_t> queries, uint32_t radius,
               HammingAnswer& answer) const override;

  // Returns the look-ups by halves of one of `queries` queries, or 0 where comparing all codes
  // takes less time.
  uint64_t LinesFor(uint32_t radius, size_t queries) const;

  // Calls visit(code) for every code.
  template <typename Visit>
  void VisitAll(const Visit& visit) const {
    VisitOrdered([&](uint64_t ordered) { visit(order_.CodeOf(ordered)); });
  }

 private:
  // Creates an index without thirds.
  HalfKeyIndex(const HalfKeyOptions& options, BitOrder order);

  HalfKeyPlan PlanFor(uint32_t radius) const {
    return {.code_bits = options_.code_bits,
            .radius = radius,
            .mixed_kept_bits = order_.kept_bits(),
            .kept_bits = {tables_[0].kept_bits(), tables_[1].kept_bits()}};
  }
  uint32_t Mix(uint32_t half) const { return MixKey(half, order_.kept_bits()); }
  uint32_t Unmix(uint32_t mixed) const { return UnmixKey(mixed, order_.kept_bits()); }
  template <typename Visit>
  void VisitOrdered(const Visit& visit) const {
    const HalfKeyPlan plan = PlanFor(0);
    tables_[0].VisitAll([&](uint32_t mixed, uint32_t value) {
      visit(plan.CodeOf({{Unmix(mixed), value}}));
    });
  }
  // Chooses the order of bits once there are enough different codes, including `more`.
  void ChooseOrder(std::span<const uint64_t> more);
  bool Contains(const CodeHalves& halves) const;
  uint64_t InsertFew(std::span<const uint64_t> ordered);
  // The content of `ordered` is undefined afterwards.
  uint64_t InsertMany(LargeVector<uint64_t>& ordered);
  void GoThrough(std::span<const uint64_t> ordered, uint32_t radius, HammingAnswer& answer) const;

  HalfKeyOptions options_;
  std::optional<ThirdTables> thirds_;
  BitOrder order_;
  bool is_order_chosen_ = false;
  std::array<LineTable, 2> tables_;  // by the low half, by the high half
};

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_HAMMING_HALF_KEY_INDEX_H_
