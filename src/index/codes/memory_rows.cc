#include "index/codes/memory_rows.h"

#include <algorithm>
#include <vector>

namespace zhiwen {

bool MemoryRows::HasEntry(uint64_t entry) const {
  const auto row = rows_.lower_bound({entry, {}});
  return row != rows_.end() && row->entry == entry;
}

void MemoryRows::Add(uint64_t code, std::string_view label) {
  const auto [row, is_new] = rows_.insert({EntryBy(0, code, code_bits_), std::string(label)});
  if (!is_new) return;
  by_label_.emplace(row->label, row->entry);
  index_.Insert(std::span(&code, 1));
  if (!label.empty()) ++labels_;
}

// Erases a row, and its code with the last row of the code.
MemoryRows::Rows::iterator MemoryRows::Erase(Rows::iterator row) {
  const uint64_t entry = row->entry;
  if (!row->label.empty()) --labels_;
  by_label_.erase({row->label, entry});
  const auto next = rows_.erase(row);
  if (!HasEntry(entry)) {
    const uint64_t code = CodeOfLow(entry, code_bits_);
    index_.Remove(std::span(&code, 1));
  }
  return next;
}

void MemoryRows::Remove(uint64_t code, std::string_view label) {
  const auto row = rows_.find({EntryBy(0, code, code_bits_), std::string(label)});
  if (row != rows_.end()) Erase(row);
}

void MemoryRows::RemoveCode(uint64_t code) {
  const uint64_t entry = EntryBy(0, code, code_bits_);
  for (auto row = rows_.lower_bound({entry, {}}); row != rows_.end() && row->entry == entry;) {
    row = Erase(row);
  }
}

void MemoryRows::RemoveLabel(std::string_view label) {
  for (;;) {
    const auto found = by_label_.lower_bound({label, 0});
    if (found == by_label_.end() || found->first != label) return;
    Erase(rows_.find({found->second, std::string(label)}));
  }
}

Status MemoryRows::VisitLow(const VisitEntry& visit) const {
  const Row* before = nullptr;
  for (const Row& row : rows_) {
    if (before == nullptr || before->entry != row.entry) {
      ZHIWEN_RETURN_IF_ERROR(visit(row.entry));
    }
    before = &row;
  }
  return {};
}

Status MemoryRows::VisitHigh(const VisitEntry& visit) const {
  std::vector<uint64_t> entries;
  entries.reserve(codes());
  ZHIWEN_RETURN_IF_ERROR(VisitLow([&](uint64_t entry) -> Status {
    entries.push_back(OtherEntry(entry));
    return {};
  }));
  std::ranges::sort(entries);
  for (const uint64_t entry : entries) ZHIWEN_RETURN_IF_ERROR(visit(entry));
  return {};
}

Status MemoryRows::VisitRows(const VisitRow& visit) const {
  const Row* before = nullptr;
  for (const Row& row : rows_) {
    const bool is_first = before == nullptr || before->entry != row.entry;
    ZHIWEN_RETURN_IF_ERROR(visit(is_first, row.label));
    before = &row;
  }
  return {};
}

}  // namespace zhiwen
