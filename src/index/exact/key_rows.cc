#include "index/exact/key_rows.h"

#include <algorithm>
#include <vector>

#include "index/line_table/mix_key.h"

namespace zhiwen {
namespace {

constexpr size_t kAhead = 16;       // keys whose lines are prefetched
constexpr size_t kTogether = 1024;  // keys that are looked up together

}  // namespace

KeyRows::MixedKey KeyRows::Mix(uint64_t key) {
  const uint64_t mixed = MixKey64(key);
  return {.high = static_cast<uint32_t>(mixed >> 32), .low = static_cast<uint32_t>(mixed)};
}

void KeyRows::Query(std::span<const uint64_t> keys, const ExactQueryOptions& options,
                    ExactAnswer& answer) const {
  struct Candidate {
    uint32_t place, slot;
  };
  std::vector<uint32_t> highs, scratch, cut_off;  // places of keys in the batch
  std::vector<Candidate> candidates;
  for (size_t begin = 0; begin < keys.size(); begin += kTogether) {
    const auto some = keys.subspan(begin, std::min(kTogether, keys.size() - begin));
    const auto first = static_cast<uint32_t>(begin);
    highs.clear(), candidates.clear(), cut_off.clear();
    for (const uint64_t key : some) highs.push_back(Mix(key).high);
    const auto visit = [&](size_t place, uint32_t slot) {
      entries_.PrefetchSlot(slot);
      candidates.push_back({static_cast<uint32_t>(place), slot});
    };
    const auto cut = [&](size_t place) { cut_off.push_back(static_cast<uint32_t>(place)); };
    // A table in memory cannot be unreadable.
    (void)table_.VisitKeys(highs, options.most_rows, scratch, visit, cut);
    const size_t before = answer.matches.size();
    for (const auto& [place, slot] : candidates) {
      const Entry entry = entries_.at(slot);
      if (entry.low == Mix(some[place]).low) answer.matches.push_back({first + place, entry.row});
    }
    const size_t end = answer.matches.size();
    for (const uint32_t place : cut_off) {
      const auto its =
          std::ranges::equal_range(std::span(answer.matches).subspan(before, end - before),
                                   first + place, {}, &ExactMatch::query);
      if (its.size() == options.most_rows ||
          !ListRest(some[place], options.most_rows, {first + place, its.size()}, answer)) {
        answer.truncated.push_back(first + place);
      }
    }
    std::sort(answer.matches.begin() + static_cast<ptrdiff_t>(before), answer.matches.end());
  }
}

// Of a key whose half other keys have, too. Returns whether all of its rows are listed.
bool KeyRows::ListRest(uint64_t key, size_t most_rows, const Listed& listed,
                       ExactAnswer& answer) const {
  const MixedKey mixed = Mix(key);
  size_t rows = 0;
  table_.VisitValues(mixed.high, SIZE_MAX, [&](uint32_t slot) {
    const Entry entry = entries_.at(slot);
    if (entry.low != mixed.low) return;
    if (rows >= listed.rows && rows < most_rows) {
      answer.matches.push_back({listed.query, entry.row});
    }
    ++rows;
  });
  return rows <= most_rows;
}

void KeyRows::Insert(std::span<const KeyRow> entries) {
  for (size_t i = 0; i < entries.size(); ++i) {
    if (i + kAhead < entries.size()) table_.PrefetchLine(Mix(entries[i + kAhead].key).high);
    const MixedKey key = Mix(entries[i].key);
    table_.Insert(key.high, Store({.low = key.low, .row = entries[i].row}));
  }
}

uint32_t KeyRows::Store(const Entry& entry) {
  if (first_free_ == 0) {
    entries_.Push(entry);
    return static_cast<uint32_t>(entries_.size() - 1);
  }
  const uint32_t slot = first_free_ - 1;
  first_free_ = entries_.at(slot).row;
  entries_.Set(slot, entry);
  return slot;
}

std::optional<uint32_t> KeyRows::Find(const MixedKey& key, uint32_t row) const {
  std::optional<uint32_t> found;
  table_.VisitValues(key.high, SIZE_MAX, [&](uint32_t slot) {
    const Entry entry = entries_.at(slot);
    if (entry.low == key.low && entry.row == row) found = slot;
  });
  return found;
}

uint64_t KeyRows::Remove(std::span<const KeyRow> entries) {
  uint64_t removed = 0;
  for (const KeyRow& entry : entries) {
    const MixedKey key = Mix(entry.key);
    const auto slot = Find(key, entry.row);
    if (!slot) continue;
    table_.Remove(key.high, *slot);
    entries_.Set(*slot, {.low = 0, .row = first_free_});
    first_free_ = *slot + 1;
    ++removed;
  }
  return removed;
}

}  // namespace zhiwen
