#ifndef ZHIWEN_INDEX_WIDE_FOUR_PART_INDEX_H_
#define ZHIWEN_INDEX_WIDE_FOUR_PART_INDEX_H_

// Codes of 128 bits by each of four parts of 32: within distance r of a query, part p of some p
// differs in at most ⌊(r−p)/4⌋ bits, where that is not below 0; the pigeonhole of half_keys.h. So
// r = 3 takes four look-ups, one a part, r = 4 36 and r = 7 132. What a look-up gives are slots of
// an array of the codes, read only where 32 bits of part and flip agree. A code that several parts
// find is reported by the first of them.
//
// In          fewer than 2³² codes
// Guarantees  exact for every radius, unless a query meets a part that more than `scan_limit` codes
//             share; beyond radius 23, and where it takes less time, all codes are compared
// Cost        52.1 bytes a code at most from ten million on: 9 a part, and the code. An insertion
//             reads five lines and moves at most seven of each part. Many at once are sorted first,
//             with 32 bytes for each of up to 2²³ codes meanwhile. A removal gives its slot to the
//             last code, so it changes eight entries; of a part that hundreds of codes share, each
//             of these goes through all of them
//             Lines that a query touches: LinesFor
// Threads     const functions from many threads; others alone
// Fails       std::bad_alloc, as operator new does

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "index/line_table/line_table.h"
#include "index/line_table/slot_array.h"
#include "index/wide/wide_hamming_index.h"

namespace zhiwen {

struct FourPartOptions {
  // Codes that share a part, looked at for one flip.
  size_t scan_limit = size_t{1} << 20;
};

class FourPartIndex final : public WideHammingIndex {
 public:
  static constexpr size_t kParts = 4;

  explicit FourPartIndex(const FourPartOptions& options = {}) : options_(options) {}

  uint64_t size() const override { return codes_.size(); }
  uint64_t bytes() const override;

  void Query(std::span<const Code128> queries, uint32_t radius, WideAnswer& answer) const override;
  uint64_t Insert(std::span<const Code128> codes) override;
  uint64_t Remove(std::span<const Code128> codes) override;

  // The look-ups of one of so many queries; where going through all codes takes less time, 0.
  uint64_t LinesFor(uint32_t radius, size_t queries) const;

 private:
  using MixedParts = std::array<uint32_t, kParts>;

  static MixedParts MixedPartsOf(const Code128& code);
  // The slot of a code that is there.
  std::optional<uint32_t> Find(const Code128& code, const MixedParts& mixed) const;
  uint64_t InsertFew(std::span<const Code128> codes);
  uint64_t InsertMany(std::span<const Code128> codes);
  void RemoveSlot(uint32_t slot, const MixedParts& mixed);
  void GoThrough(std::span<const Code128> queries, uint32_t radius, WideAnswer& answer) const;

  FourPartOptions options_;
  SlotArray<Code128> codes_;
  // From the low part on. They grow at different times.
  std::array<LineTable, kParts> tables_ = {LineTable(), LineTable(1.005), LineTable(1.01),
                                           LineTable(1.015)};
};

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_WIDE_FOUR_PART_INDEX_H_
