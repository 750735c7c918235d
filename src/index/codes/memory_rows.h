#ifndef ZHIWEN_INDEX_CODES_MEMORY_ROWS_H_
#define ZHIWEN_INDEX_CODES_MEMORY_ROWS_H_

// The changing rows of an index that are in no segment yet.
//
// Cost        about 250 bytes a row, and its label; two microseconds an addition
// Threads     const functions from many threads; the others alone
// Fails       std::bad_alloc, as operator new does

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "index/codes/segment_rows.h"
#include "index/hamming/half_key_index.h"
#include "zhiwen/code_index.h"

namespace zhiwen {

class MemoryRows final : public SegmentRows {
 public:
  explicit MemoryRows(const CodeIndexOptions& options)
      : code_bits_(options.code_bits), index_({.code_bits = options.code_bits}) {}

  void Add(uint64_t code, std::string_view label);
  void Remove(uint64_t code, std::string_view label);
  void RemoveCode(uint64_t code);
  void RemoveLabel(std::string_view label);

  uint32_t code_bits() const override { return code_bits_; }
  uint64_t codes() const override { return index_.size(); }
  uint64_t rows() const override { return rows_.size(); }
  bool has_labels() const override { return labels_ != 0; }
  Status VisitLow(const VisitEntry& visit) const override;
  Status VisitHigh(const VisitEntry& visit) const override;
  Status VisitRows(const VisitRow& visit) const override;

  const HammingIndex& hamming() const { return index_; }
  bool HasCode(uint64_t code) const { return HasEntry(EntryBy(0, code, code_bits_)); }

  // Calls visit(label) for the rows of a code, in the order of labels.
  template <typename Visit>
  void VisitLabels(uint64_t code, const Visit& visit) const {
    const uint64_t entry = EntryBy(0, code, code_bits_);
    for (auto row = rows_.lower_bound({entry, {}}); row != rows_.end() && row->entry == entry;
         ++row) {
      visit(std::string_view(row->label));
    }
  }

  // Calls visit(code) for the rows with a label.
  template <typename Visit>
  void VisitCodes(std::string_view label, const Visit& visit) const {
    for (auto row = by_label_.lower_bound({label, 0});
         row != by_label_.end() && row->first == label; ++row) {
      visit(CodeOfLow(row->second, code_bits_));
    }
  }

 private:
  struct Row {
    uint64_t entry = 0;  // the code's entry by its low half
    std::string label;

    friend auto operator<=>(const Row&, const Row&) = default;
  };
  using Rows = std::set<Row>;

  bool HasEntry(uint64_t entry) const;
  Rows::iterator Erase(Rows::iterator row);

  const uint32_t code_bits_;
  HalfKeyIndex index_;  // the codes of rows_
  Rows rows_;
  // The labelled rows of rows_; the labels are views of theirs.
  std::set<std::pair<std::string_view, uint64_t>> by_label_;
  uint64_t labels_ = 0;  // number of rows with a label
};

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_CODES_MEMORY_ROWS_H_
