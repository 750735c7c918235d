#include "index/codes/sorted_rows.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/radix_sort.h"

namespace zhiwen {

SortedRows::SortedRows(LargeVector<uint64_t> codes, uint32_t code_bits) : code_bits_(code_bits) {
  Sort(std::move(codes));
}

SortedRows::SortedRows(std::vector<CodeRow> rows, uint32_t code_bits) : code_bits_(code_bits) {
  has_labels_ = std::ranges::any_of(rows, [](const CodeRow& row) { return !row.label.empty(); });
  LargeVector<uint64_t> codes(rows.size());
  std::ranges::transform(rows, codes.begin(), &CodeRow::code);
  Sort(std::move(codes));
  if (!has_labels_) return;
  // Sorts by the entry, which replaces the code meanwhile.
  for (CodeRow& row : rows) row.code = EntryBy(0, row.code, code_bits_);
  std::ranges::sort(rows, [](const CodeRow& a, const CodeRow& b) {
    return std::tie(a.code, a.label) < std::tie(b.code, b.label);
  });
  const auto repeated = std::ranges::unique(rows, [](const CodeRow& a, const CodeRow& b) {
    return a.code == b.code && a.label == b.label;
  });
  rows.erase(repeated.begin(), repeated.end());
  rows_ = std::move(rows);
}

void SortedRows::Sort(LargeVector<uint64_t> codes) {
  LargeVector<uint64_t> scratch;
  for (uint64_t& code : codes) code = EntryBy(0, code, code_bits_);
  low_ = std::move(codes);
  RadixSort(low_, scratch);
  low_.erase(std::unique(low_.begin(), low_.end()), low_.end());
  high_.resize(low_.size());
  std::ranges::transform(low_, high_.begin(), OtherEntry);
  RadixSort(high_, scratch);
}

Status SortedRows::VisitLow(const VisitEntry& visit) const {
  for (const uint64_t entry : low_) ZHIWEN_RETURN_IF_ERROR(visit(entry));
  return {};
}

Status SortedRows::VisitHigh(const VisitEntry& visit) const {
  for (const uint64_t entry : high_) ZHIWEN_RETURN_IF_ERROR(visit(entry));
  return {};
}

Status SortedRows::VisitRows(const VisitRow& visit) const {
  for (size_t i = 0; i < rows_.size(); ++i) {
    const bool is_first = i == 0 || rows_[i].code != rows_[i - 1].code;
    ZHIWEN_RETURN_IF_ERROR(visit(is_first, rows_[i].label));
  }
  return {};
}

}  // namespace zhiwen
