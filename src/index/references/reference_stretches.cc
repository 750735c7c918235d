#include "index/references/reference_stretches.h"

#include <algorithm>

#include "index/references/bit_filter.h"

namespace zhiwen {

void StretchFinder::Add(uint64_t begin, std::span<const uint64_t> keys) {
  for (const uint64_t key : keys) {
    entries_.push_back({key, begin++});
    if (entries_.size() >= most_keys_) LookUp();
  }
}

void StretchFinder::Finish() { LookUp(); }

// Looks the keys of all references up, and goes on without those of the input.
void StretchFinder::LookUp() {
  std::sort(entries_.begin(), entries_.end());
  BitFilter filter(entries_.size());
  for (const Entry& entry : entries_) filter.Insert(entry.key);
  for (size_t reference = 0; reference < stretches_.size(); ++reference) {
    begins_.clear();
    for (const uint64_t key : keys_of_(reference)) {
      if (!filter.MayContain(key)) continue;
      auto entry = std::ranges::lower_bound(entries_, key, {}, &Entry::key);
      for (; entry != entries_.end() && entry->key == key; ++entry) begins_.push_back(entry->begin);
    }
    std::sort(begins_.begin(), begins_.end());
    std::vector<SymbolRange>& all = stretches_[reference];
    for (const uint64_t begin : begins_) {
      if (!all.empty() && begin <= all.back().end) {
        all.back().end = begin + length_;
      } else {
        all.push_back({begin, begin + length_});
      }
    }
  }
  entries_.clear();
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
