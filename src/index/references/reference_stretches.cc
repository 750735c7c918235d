#include "index/references/reference_stretches.h"

#include <algorithm>

namespace zhiwen {

void StretchFinder::Add(std::span<const uint64_t> keys) {
  const auto reference = static_cast<uint32_t>(stretches_.size());
  for (const uint64_t key : keys) entries_.push_back({key, reference});
  stretches_.emplace_back();
}

void StretchFinder::Finish() {
  std::sort(entries_.begin(), entries_.end());
  entries_.erase(std::unique(entries_.begin(), entries_.end()), entries_.end());
  filter_ = BitFilter(entries_.size());
  for (const Entry& entry : entries_) filter_.Insert(entry.key);
}

void StretchFinder::Look(uint64_t begin, std::span<const uint64_t> keys) {
  for (size_t i = 0; i < keys.size(); ++i) {
    if (!filter_.MayContain(keys[i])) continue;
    const SymbolRange found{begin + i, begin + i + length_};
    auto entry = std::ranges::lower_bound(entries_, keys[i], {}, &Entry::key);
    for (; entry != entries_.end() && entry->key == keys[i]; ++entry) {
      std::vector<SymbolRange>& all = stretches_[entry->reference];
      if (!all.empty() && found.begin <= all.back().end) {
        all.back().end = found.end;
      } else {
        all.push_back(found);
      }
    }
  }
}

std::vector<SymbolRange> JoinStretches(std::span<const SymbolRange> stretches, uint64_t most_gap) {
  std::vector<SymbolRange> joined;
  for (const SymbolRange& one : stretches) {
    if (!joined.empty() && one.begin <= joined.back().end + most_gap) {
      joined.back().end = std::max(joined.back().end, one.end);
    } else {
      joined.push_back(one);
    }
  }
  return joined;
}

}  // namespace zhiwen
