#include "index/exact/brute_force_exact.h"

#include <algorithm>

namespace zhiwen {

void BruteForceExact::Query(std::span<const uint64_t> keys, const ExactQueryOptions& options,
                            ExactAnswer& answer) const {
  for (uint32_t q = 0; q < keys.size(); ++q) {
    const size_t before = answer.matches.size();
    for (const KeyRow& entry : entries_) {
      if (entry.key == keys[q]) answer.matches.push_back({q, entry.row});
    }
    std::sort(answer.matches.begin() + static_cast<ptrdiff_t>(before), answer.matches.end());
    if (answer.matches.size() - before <= options.most_rows) continue;
    answer.matches.resize(before + options.most_rows);
    answer.truncated.push_back(q);
  }
}

void BruteForceExact::Insert(std::span<const KeyRow> entries) {
  entries_.insert(entries_.end(), entries.begin(), entries.end());
}

uint64_t BruteForceExact::Remove(std::span<const KeyRow> entries) {
  uint64_t removed = 0;
  for (const KeyRow& entry : entries) removed += std::erase(entries_, entry);
  return removed;
}

}  // namespace zhiwen
