#ifndef ZHIWEN_INDEX_CODES_SEGMENT_ROWS_H_
#define ZHIWEN_INDEX_CODES_SEGMENT_ROWS_H_

// The rows that a segment of codes is written from, which are visited more than once. A code is an
// entry of two tables, one for each half (half_keys.h). Rows are ordered by the entry under the low
// half, and rows of one code by label.

#include <cstdint>
#include <functional>
#include <string_view>

#include "index/hamming/half_keys.h"
#include "index/hamming/packed_table.h"
#include "index/line_table/mix_key.h"
#include "zhiwen/result.h"

namespace zhiwen {

// Converts a code to its entry by its low half (0) or its high half (1), and back.
inline uint64_t EntryBy(size_t half, uint64_t code, uint32_t code_bits) {
  const CodeHalves halves = HalfKeyPlan{.code_bits = code_bits}.HalvesOf(code);
  return EntryOf(MixKey(halves.of[half]), halves.of[1 - half]);
}
// Returns the entry of the same code by the other half.
inline uint64_t OtherEntry(uint64_t entry) {
  return EntryOf(MixKey(ValueOf(entry)), UnmixKey(MixedOf(entry)));
}
inline uint64_t CodeOfLow(uint64_t entry, uint32_t code_bits) {
  return HalfKeyPlan{.code_bits = code_bits}.CodeOf({{UnmixKey(MixedOf(entry)), ValueOf(entry)}});
}

class SegmentRows {
 public:
  using VisitEntry = std::function<Status(uint64_t entry)>;
  // `is_first` says whether the row is the first of its code.
  using VisitRow = std::function<Status(bool is_first, std::string_view label)>;

  virtual ~SegmentRows() = default;

  virtual uint32_t code_bits() const = 0;
  virtual uint64_t codes() const = 0;
  virtual uint64_t rows() const = 0;
  // Returns whether any row has a label, or any code has two rows. Otherwise rows need not be
  // written.
  virtual bool has_labels() const = 0;

  // Visit the entries by the low half, by the high half, and the rows. Fail as the source and
  // `visit` do.
  virtual Status VisitLow(const VisitEntry& visit) const = 0;
  virtual Status VisitHigh(const VisitEntry& visit) const = 0;
  virtual Status VisitRows(const VisitRow& visit) const = 0;
};

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_CODES_SEGMENT_ROWS_H_
