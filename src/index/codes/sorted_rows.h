#ifndef ZHIWEN_INDEX_CODES_SORTED_ROWS_H_
#define ZHIWEN_INDEX_CODES_SORTED_ROWS_H_

// Sorts rows in memory that become a segment, and removes duplicates.
//
// Cost        without labels 16 bytes a row and a few radix sorts; with labels 16 bytes more
// Threads     const after the constructor
// Fails       std::bad_alloc, as operator new does

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/large_memory.h"
#include "index/codes/segment_rows.h"

namespace zhiwen {

struct CodeRow {
  uint64_t code = 0;
  std::string_view label;
};

class SortedRows final : public SegmentRows {
 public:
  // Takes rows in any order. Labels must outlive the object.
  SortedRows(std::vector<CodeRow> rows, uint32_t code_bits);
  // Takes codes without labels.
  SortedRows(LargeVector<uint64_t> codes, uint32_t code_bits);

  uint32_t code_bits() const override { return code_bits_; }
  uint64_t codes() const override { return low_.size(); }
  uint64_t rows() const override { return has_labels_ ? rows_.size() : low_.size(); }
  bool has_labels() const override { return has_labels_; }
  Status VisitLow(const VisitEntry& visit) const override;
  Status VisitHigh(const VisitEntry& visit) const override;
  Status VisitRows(const VisitRow& visit) const override;

 private:
  // Makes the entries of both tables from codes in any order.
  void Sort(LargeVector<uint64_t> codes);

  const uint32_t code_bits_;
  bool has_labels_ = false;
  LargeVector<uint64_t> low_, high_;  // entries by either half
  // Rows by entry and label; empty when there are no labels.
  std::vector<CodeRow> rows_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_CODES_SORTED_ROWS_H_
