#include "pipeline/dedup/audit/audit_table.h"

#include <algorithm>

namespace zhiwen {
namespace {

constexpr size_t kPiece = 4096;
constexpr size_t kMostRepeated = size_t{1} << 16;

}  // namespace

void AuditTable::Add(std::span<const uint64_t> keys) {
  for (const uint64_t key : keys) entries_.push_back({key, places_});
  ++places_;
}

Status AuditTable::Finish() {
  filter_ = BitFilter(entries_.size());
  for (const Entry& entry : entries_) filter_.Insert(entry.key);
  const auto visit_all = [&](const HashPostings::Visit& visit) {
    for (const Entry& entry : entries_) visit(entry.key, entry.place);
  };
  ZHIWEN_ASSIGN_OR_RETURN(postings_, HashPostings::Create(entries_.size(), visit_all));
  entries_ = {};
  return {};
}

void AuditTable::Begin(Counter& counter) const {
  counter.shared_.resize(places_);
  counter.selected_.resize(kPiece);
  for (const uint32_t place : counter.touched_) counter.shared_[place] = 0;
  counter.touched_.clear();
  counter.known_.clear();
  counter.distinct_ = 0;
}

// Keys that repeat themselves are dropped before they take much memory.
void AuditTable::Add(std::span<const uint64_t> keys, Counter& counter) const {
  for (size_t begin = 0; begin < keys.size(); begin += kPiece) {
    const auto piece = keys.subspan(begin, std::min(kPiece, keys.size() - begin));
    const size_t count = filter_.Select(piece, counter.selected_.data());
    for (size_t i = 0; i < count; ++i) {
      const uint64_t key = piece[counter.selected_[i]];
      if (!postings_.Find(key).empty()) counter.known_.push_back(key);
    }
    if (counter.known_.size() >= 2 * counter.distinct_ + kMostRepeated) SortKnown(counter);
  }
}

void AuditTable::Finish(Counter& counter) const {
  SortKnown(counter);
  for (const uint64_t key : counter.known_) {
    for (const uint32_t place : postings_.Find(key)) {
      if (counter.shared_[place]++ == 0) counter.touched_.push_back(place);
    }
  }
}

void AuditTable::SortKnown(Counter& counter) {
  std::ranges::sort(counter.known_);
  counter.known_.erase(std::unique(counter.known_.begin(), counter.known_.end()),
                       counter.known_.end());
  counter.distinct_ = counter.known_.size();
}

}  // namespace zhiwen
