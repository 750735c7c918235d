#ifndef ZHIWEN_INDEX_LINE_TABLE_LINE_TABLE_H_
#define ZHIWEN_INDEX_LINE_TABLE_LINE_TABLE_H_

// Maps 32-bit keys to 32-bit values in cache lines. A look-up reads one line, and what it reads
// next is known in advance, so that many look-ups wait for memory together.
//
// A key goes through a bijective mix, so that biased keys load lines as evenly as uniform ones.
// Mixed keys are cut into 2ᵏ ranges of equal width. A range has `parts` lines, four to seven, and a
// line stands for a part of it. A slot of a line holds a value and as many low bits of its mixed
// key as distinguish the keys of one line (line_slots.h). Entries that do not fit go to a chain of
// overflow lines. These are the entries with the greatest low bytes of keys, so that the first line
// tells most look-ups that the others have nothing for them. Keys that would make a chain longer
// than kLongestChain are hot: they have arrays of their own, beside the lines (hot_keys.h), and the
// first line of their chain has no entries.
//
// Keys that differ only in their lowest kept_bits() bits are in one line. A table whose keys are
// mixed such that these bits stay as they are (mix_key.h) looks up the flips of these bits
// together.
//
// Growth gives each range one line more, one range at a time, from the last to the first, in place;
// with eight lines a range becomes two of four. An insertion moves one range at most. This is
// linear hashing with partial expansions (P.-Å. Larson, "Linear Hashing with Partial Expansions",
// 1980) by the upper bits of a key, so that lines stay in the order of keys.
//
// Guarantees  key and value come back exactly; no insertion moves more than a range, and the hot
//             keys of a bucket (hot_keys.h)
// Cost        at most 8.9 bytes an entry from ten million on, and 10.7 from a million on; 1.05
//             lines a look-up on average. Memory comes one huge page at a time, which another
//             thread fetches before an insertion needs it (line_memory.h)
// Threads     const functions from many threads; the others alone
// Fails       std::bad_alloc, as operator new does: entries may be missing then

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/prefetch.h"
#include "index/line_table/hot_keys.h"
#include "index/line_table/line_memory.h"
#include "index/line_table/line_slots.h"
#include "index/line_table/mix_key.h"
#include "zhiwen/result.h"

namespace zhiwen {

// All keys here are mixed ones (mix_key.h).
class LineTable {
 public:
  static constexpr size_t kLongestChain = 4;  // in overflow lines

  // Lines hold `fill` times as many entries as usual. Getting memory from the system may take
  // milliseconds; tables that grow together do so at different times when their `fill` differs a
  // little. Up to `most_kept_bits` of the lowest bits of keys are kept in one line, as far as large
  // tables have room.
  explicit LineTable(double fill = 1, uint32_t most_kept_bits = 0);

  uint64_t size() const { return size_; }
  uint64_t bytes() const;
  uint64_t overflow_lines() const { return overflow_lines_ - free_overflow_; }
  size_t hot_keys() const { return hot_.size(); }
  // Returns the number of values of a hot key, 0 for other keys.
  uint64_t HotValues(uint32_t mixed) const;
  // Returns how many of the lowest bits of a key never decide its line. A line holds at least eight
  // stretches of keys that differ in these bits alone, so that all lines are about equally wide. In
  // ranges of four or eight parts each line begins at a stretch, so that the number of bits may
  // change there.
  uint32_t kept_bits() const { return std::min(most_kept_bits_, shift_ > 6 ? shift_ - 6 : 0); }

  // Makes an empty table with room for this many entries, so that inserting them moves nothing.
  static LineTable For(uint64_t entries, double fill = 1, uint32_t most_kept_bits = 0);

  // Adds an entry, which must not be there.
  void Insert(uint32_t mixed, uint32_t value);
  // Adds many entries, each as mixed << 32 | value. Ascending entries take a fraction of the time.
  // When they are at least half of the entries present, the table is built anew.
  void InsertMany(std::span<const uint64_t> entries);
  // Removes an entry. Returns whether it was there. Its memory is reused; the number of lines
  // stays.
  bool Remove(uint32_t mixed, uint32_t value);
  bool Contains(uint32_t mixed, uint32_t value) const;

  // Prefetch what a look-up reads first, and what follows that.
  void PrefetchLine(uint32_t mixed) const { Prefetch(lines_.at(LineOf(mixed))); }
  void PrefetchChain(uint32_t mixed) const {
    const uint32_t link = LinkOf(*lines_.at(LineOf(mixed)), FormatFor(mixed));
    if (link - 1 < overflow_lines_) Prefetch(overflow_.at(link - 1));
  }

  // Selects keys and values. Key i stands for all keys that differ from it only in bits of loose[i
  // % n], which is 0 or the lowest kept_bits(). Of their values, those are selected that differ
  // from others[i / n] in at most bounds[i % n] bits, where n is the number of bounds. Without
  // these, the keys alone are selected, with all values.
  struct Near {
    std::span<const uint32_t> others, bounds, loose;
  };

  // Calls visit(place, bits, value) for every near value, with the index of the key and the bits in
  // which the value's own key differs; it may also be called for other values of these keys. Calls
  // cut(place) when such a key has more than `limit` values, of which only `limit` are examined.
  // Waits for many lines together. `scratch` is overwritten.
  template <typename Visit, typename Cut>
  Status VisitNear(std::span<const uint32_t> mixed, const Near& near, size_t limit,
                   std::vector<uint32_t>& scratch, const Visit& visit, const Cut& cut) const;

  // Calls visit(place, value) for every value of every key.
  template <typename Visit, typename Cut>
  Status VisitKeys(std::span<const uint32_t> mixed, size_t limit, std::vector<uint32_t>& scratch,
                   const Visit& visit, const Cut& cut) const {
    const auto visit_value = [&](size_t place, uint32_t /*bits*/, uint32_t value) {
      visit(place, value);
    };
    return VisitNear(mixed, {}, limit, scratch, visit_value, cut);
  }

  // Appends the indexes of the keys that may have such values, ascending. All keys that have some
  // are included.
  void Select(std::span<const uint32_t> mixed, const Near& near,
              std::vector<uint32_t>& places) const;

  // Calls visit(value) for every value of a key. Returns false when there are more than `limit`,
  // and then visits `limit` of them.
  template <typename Visit>
  bool VisitValues(uint32_t mixed, size_t limit, const Visit& visit) const;

  // Calls visit(mixed, value) for every entry.
  template <typename Visit>
  void VisitAll(const Visit& visit) const;

 private:
  struct Entry {
    uint32_t mixed, value;
  };

  bool IsMoved(uint32_t mixed) const { return mixed >= frontier_; }
  uint64_t LineOf(uint32_t mixed) const {
    const uint32_t first = mixed & ~uint32_t{0} << kept_bits();
    return first * (parts_ + (IsMoved(mixed) ? 1 : 0)) >> shift_;
  }
  const LineFormat& FormatFor(uint32_t mixed) const {
    return IsMoved(mixed) ? moved_format_ : format_;
  }
  uint64_t ranges() const { return uint64_t{1} << (32 - shift_); }
  uint64_t lines_in_use() const { return ranges() * (parts_ + 1) - (frontier_ >> shift_); }
  // Returns null for a key that is not hot.
  const HotKeyValues* FindHot(uint32_t mixed) const {
    const bool may_be = hot_.size() > 0 && HasHotKeys(*lines_.at(LineOf(mixed)), FormatFor(mixed));
    return may_be ? hot_.Find(mixed) : nullptr;
  }
  double load() const;  // target number of entries a line
  uint64_t Room() const {
    return static_cast<uint64_t>(load() * static_cast<double>(lines_in_use()));
  }

  void Reserve(uint64_t entries);
  void Append(Entry entry);
  // For a full first line that others follow: puts the entry there in place of the one with the
  // greatest low byte, if that is greater than its own. Returns the entry that must go to the
  // following lines.
  struct Place {
    Line* line = nullptr;
    size_t slot = 0;
  };
  Place PullUp(Line& first, size_t free_slot, const LineFormat& format);
  Entry Displace(Line& first, const LineFormat& format, Entry entry);
  uint32_t AddOverflow(Line& last, const LineFormat& format);
  void FreeChain(const Line& first, const LineFormat& format);
  void FreeOverflow(uint32_t link);
  void SpillHottest(uint64_t line, uint64_t parts, const LineFormat& format);
  bool RemoveHot(uint32_t mixed, uint32_t value);
  void MoveRange();
  void PutMoved(uint64_t first_line, std::span<Entry> entries);
  void PrefetchNextMove() const;
  void FetchNextGrowth();
  void FinishGrowth();
  // Visits the near values of the key at `place`, or all.
  template <typename Visit>
  static void VisitHot(const HotKeyValues& hot, const Near& near, size_t place, size_t limit,
                       const Visit& visit);
  // Visits the values of all keys that differ from the one at `place` in these bits, which are the
  // lowest ones.
  template <typename Visit, typename Cut>
  void VisitLoose(uint32_t mixed, uint32_t loose, const Near& near, size_t place, size_t limit,
                  const Visit& visit, const Cut& cut) const;
  // Returns the least key of the line `line` among ranges of `parts` lines.
  uint64_t FirstKeyOf(uint64_t line, uint64_t parts) const {
    const uint64_t first = ((line << shift_) + parts - 1) / parts;
    const uint64_t kept = (uint64_t{1} << kept_bits()) - 1;
    return (first + kept) & ~kept;
  }
  template <typename Visit>
  void VisitLine(uint64_t line, uint64_t parts, const LineFormat& format, const Visit& visit) const;

  double fill_;
  uint32_t most_kept_bits_;
  uint64_t size_ = 0;
  uint32_t shift_ = 32;  // 32 − k
  uint64_t parts_ = 4;   // lines of ranges before the frontier; later ranges have one more
  uint64_t frontier_ = uint64_t{1} << 32;  // first key of the ranges that are moved
  LineFormat format_, moved_format_;       // before the frontier, and from it on
  LineMemory lines_;
  LineMemory overflow_;  // line i of it has the link i + 1
  uint64_t overflow_lines_ = 0;
  uint32_t first_free_ = 0;  // link; free lines are chained
  uint64_t free_overflow_ = 0;
  HotKeys hot_;
};

template <typename Visit>
bool LineTable::VisitValues(uint32_t mixed, size_t limit, const Visit& visit) const {
  const LineFormat& format = FormatFor(mixed);
  const uint32_t rest = mixed & format.rest_mask();
  const Line* line = lines_.at(LineOf(mixed));
  if (const HotKeyValues* const hot = FindHot(mixed)) {
    hot->VisitValues(limit, visit);
    return hot->size() <= limit;
  }
  size_t visited = 0;
  return WithSlots(format, [&](const auto& in) {
    for (bool is_first = true;; is_first = false) {
      for (uint64_t slots = SlotsWith(*line, format, mixed); slots != 0; slots &= slots - 1) {
        const auto slot = static_cast<size_t>(__builtin_ctzll(slots));
        if (in.Rest(*line, slot) != rest) continue;
        if (visited++ == limit) return false;
        visit(line->value(slot));
      }
      if (is_first && !MayFollow(*line, format, mixed)) return true;
      const uint32_t link = LinkOf(*line, format);
      if (link == 0 || link == format.hot_link()) return true;
      line = overflow_.at(link - 1);
    }
  });
}

template <typename Visit>
void LineTable::VisitHot(const HotKeyValues& hot, const Near& near, size_t place, size_t limit,
                         const Visit& visit) {
  if (near.bounds.empty()) return hot.VisitValues(limit, visit);
  const size_t together = near.bounds.size();
  hot.VisitNear(near.others[place / together], near.bounds[place % together], limit, visit);
}

template <typename Visit, typename Cut>
void LineTable::VisitLoose(uint32_t mixed, uint32_t loose, const Near& near, size_t place,
                           size_t limit, const Visit& visit, const Cut& cut) const {
  const LineFormat& format = FormatFor(mixed);
  const Line* line = lines_.at(LineOf(mixed));
  const uint32_t first = mixed & ~loose;
  if (HasHotKeys(*line, format)) {
    hot_.VisitFrom(first, uint64_t{first} + loose + 1, [&](uint32_t key, const HotKeyValues& hot) {
      VisitHot(hot, near, place, limit, [&](uint32_t v) { visit(place, key ^ mixed, v); });
      if (hot.size() > limit) cut(place);
    });
  }
  const uint32_t mask = format.rest_mask() & ~loose;
  std::array<uint8_t, 1 << kMostKeptBits> visited = {};  // for each key; a chain has 60 entries
  WithSlots(format, [&](const auto& in) {
    for (bool is_first = true;; is_first = false) {
      uint64_t slots = SlotsWith(*line, format, mixed, loose);
      for (; slots != 0; slots &= slots - 1) {
        const auto slot = static_cast<size_t>(__builtin_ctzll(slots));
        const uint32_t bits = in.Rest(*line, slot) ^ mixed;
        if ((bits & mask) != 0) continue;
        if (visited[bits & loose]++ >= limit) {
          cut(place);
        } else {
          visit(place, bits & loose, line->value(slot));
        }
      }
      if (is_first && !MayFollow(*line, format, mixed | loose)) return;
      const uint32_t link = LinkOf(*line, format);
      if (link == 0 || link == format.hot_link()) return;
      line = overflow_.at(link - 1);
    }
  });
}

template <typename Visit, typename Cut>
Status LineTable::VisitNear(std::span<const uint32_t> mixed, const Near& near, size_t limit,
                            std::vector<uint32_t>& scratch, const Visit& visit,
                            const Cut& cut) const {
  constexpr size_t kAhead = 8;  // keys whose arrays are prefetched
  Select(mixed, near, scratch);
  std::array<const HotKeyValues*, 2 * kAhead> hot_ahead;
  const auto find_hot = [&](size_t i) {
    if (i >= scratch.size()) return;
    const HotKeyValues* const hot = FindHot(mixed[scratch[i]]);
    if (hot != nullptr) Prefetch(hot);
    hot_ahead[i % hot_ahead.size()] = hot;
  };
  for (size_t i = 0; i < 2 * kAhead - 1; ++i) find_hot(i);
  for (size_t i = 0; i < scratch.size(); ++i) {
    find_hot(i + 2 * kAhead - 1);
    if (i + kAhead < scratch.size()) {
      const HotKeyValues* const next = hot_ahead[(i + kAhead) % hot_ahead.size()];
      if (next != nullptr) next->PrefetchValues();
    }
    const size_t place = scratch[i];
    const uint32_t loose = near.loose.empty() ? 0 : near.loose[place % near.loose.size()];
    if (loose != 0) {
      VisitLoose(mixed[place], loose, near, place, limit, visit, cut);
      continue;
    }
    const auto visit_value = [&](uint32_t value) { visit(place, uint32_t{0}, value); };
    const HotKeyValues* const hot = hot_ahead[i % hot_ahead.size()];
    if (hot == nullptr) {
      if (!VisitValues(mixed[place], limit, visit_value)) cut(place);
      continue;
    }
    VisitHot(*hot, near, place, limit, visit_value);
    if (hot->size() > limit) cut(place);
  }
  return {};
}

template <typename Visit>
void LineTable::VisitLine(uint64_t line_number, uint64_t parts, const LineFormat& format,
                          const Visit& visit) const {
  const auto first = static_cast<uint32_t>(FirstKeyOf(line_number, parts));
  const uint32_t mask = format.rest_mask();
  WithSlots(format, [&](const auto& in) {
    for (const Line* line = lines_.at(line_number);;) {
      const uint32_t count = SlotCount(*line);
      for (uint32_t slot = 0; slot < count; ++slot) {
        visit(first + ((in.Rest(*line, slot) - first) & mask), line->value(slot));
      }
      const uint32_t link = LinkOf(*line, format);
      if (link == 0 || link == format.hot_link()) return;
      line = overflow_.at(link - 1);
    }
  });
}

template <typename Visit>
void LineTable::VisitAll(const Visit& visit) const {
  const uint64_t range = frontier_ >> shift_;
  for (uint64_t i = 0; i < range * parts_; ++i) VisitLine(i, parts_, format_, visit);
  for (uint64_t i = range * (parts_ + 1); i < ranges() * (parts_ + 1); ++i) {
    VisitLine(i, parts_ + 1, moved_format_, visit);
  }
  hot_.VisitFrom(0, uint64_t{1} << 32, [&](uint32_t mixed, const HotKeyValues& hot) {
    hot.VisitValues(SIZE_MAX, [&](uint32_t value) { visit(mixed, value); });
  });
}

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_LINE_TABLE_LINE_TABLE_H_
