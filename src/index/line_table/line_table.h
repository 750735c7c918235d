#ifndef ZHIWEN_INDEX_LINE_TABLE_LINE_TABLE_H_
#define ZHIWEN_INDEX_LINE_TABLE_LINE_TABLE_H_

// Which 32-bit values stand under a 32-bit key, in cache lines: a look-up reads one line, and what
// it reads next is known in advance, so that many look-ups wait for memory together.
//
// A key goes through a bijective mix, so that biased keys load lines as evenly as uniform ones.
// Mixed keys are cut into 2ᵏ ranges of equal width; a range has `parts` lines, four to seven, and a
// line stands for a part of it. A slot of a line holds a value and so many low bits of its mixed
// key as tell the keys of one line apart (line_slots.h). What does not fit goes to a chain of
// overflow lines: the entries with the greatest low bytes of keys, so that most look-ups know from
// the first line that the others have nothing for them. Keys that would make a chain longer than
// kLongestChain are hot: they have arrays of their own, beside the lines (hot_keys.h), and the
// first line of their chain has no entries.
//
// Keys that differ only in their lowest bits, kept_bits() of them, are of one line: a table whose
// keys are mixed such that these bits stay as they are (mix_key.h) looks the flips of such a bit up
// together.
//
// Growth gives each range one line more, a range at a time, from the last to the first, in place;
// with eight lines a range becomes two of four. An insertion moves one range at most: linear
// hashing with partial expansions (P.-Å. Larson, "Linear Hashing with Partial Expansions", 1980),
// by the upper bits of a key, so that lines stay in the order of keys.
//
// Guarantees  key and value come back exactly; no insertion moves more than a range, and the hot
//             keys of a bucket (hot_keys.h)
// Cost        8.9 bytes an entry at most, from ten million on, and 10.7 from a million on; 1.05
//             lines a look-up, on the average. Memory comes a huge page at a time, which another
//             thread fetches before an insertion needs it (line_memory.h)
// Threads     const functions from many threads; others alone
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

// Keys are mixed ones (mix_key.h), here and below.
class LineTable {
 public:
  static constexpr size_t kLongestChain = 4;  // overflow lines

  // Lines hold `fill` times as many entries as usual. Tables that grow together ask the system for
  // memory at different times when theirs differ a little: it may take milliseconds. Of the
  // lowest bits of keys as many are kept in a line as large tables have room for.
  explicit LineTable(double fill = 1, uint32_t most_kept_bits = 0);

  uint64_t size() const { return size_; }
  uint64_t bytes() const;
  uint64_t overflow_lines() const { return overflow_lines_ - free_overflow_; }
  size_t hot_keys() const { return hot_.size(); }
  // Of a hot key; of others 0.
  uint64_t HotValues(uint32_t mixed) const;
  // A line stands for eight such stretches of keys or more, so that all are about as wide; and the
  // lines of four parts of a range, or eight, begin at one, so that the number may change there.
  uint32_t kept_bits() const { return std::min(most_kept_bits_, shift_ > 6 ? shift_ - 6 : 0); }

  // Makes an empty table that is to have so many entries, so that inserting them moves nothing.
  static LineTable For(uint64_t entries, double fill = 1, uint32_t most_kept_bits = 0);

  // Adds an entry, which the caller knows not to be there.
  void Insert(uint32_t mixed, uint32_t value);
  // The same of many entries, each as mixed << 32 | value; in ascending order it takes a fraction
  // of the time. Where they are half of what is there or more, the table is made anew for all.
  void InsertMany(std::span<const uint64_t> entries);
  // Returns whether the entry was there. What it took is used again; lines stay as many.
  bool Remove(uint32_t mixed, uint32_t value);
  bool Contains(uint32_t mixed, uint32_t value) const;

  // Bring closer to the processor what a look-up reads first, and what follows that.
  void PrefetchLine(uint32_t mixed) const { Prefetch(lines_.at(LineOf(mixed))); }
  void PrefetchChain(uint32_t mixed) const {
    const uint32_t link = LinkOf(*lines_.at(LineOf(mixed)), FormatFor(mixed));
    if (link - 1 < overflow_lines_) Prefetch(overflow_.at(link - 1));
  }

  // Which keys and which values are asked for: with key i all keys that differ from it in bits of
  // loose[i % n] alone, 0 or the lowest kept_bits(); and of these the values that differ
  // from others[i / n] in at most bounds[i % n] bits, of n bounds. Where these are not given, the
  // keys alone, and all values.
  struct Near {
    std::span<const uint32_t> others, bounds, loose;
  };

  // Calls visit(place, bits, value) for every value that is near, by the key's place and the bits
  // that its own key differs in, and perhaps for others of these keys, and cut(place) where such a
  // key has more than `limit` values: so many of them are looked at. Waits for many lines
  // together. `scratch` is used on the way.
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

  // The places of those keys that may have such values, ascending; all that have are among them.
  void Select(std::span<const uint32_t> mixed, const Near& near,
              std::vector<uint32_t>& places) const;

  // Calls visit(value) for every value of a key. Returns false when it has more than `limit`, and
  // then visits as many.
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
  // Null for a key that is not hot.
  const HotKeyValues* FindHot(uint32_t mixed) const {
    const bool may_be = hot_.size() > 0 && HasHotKeys(*lines_.at(LineOf(mixed)), FormatFor(mixed));
    return may_be ? hot_.Find(mixed) : nullptr;
  }
  double load() const;  // entries that a line is to have
  uint64_t Room() const {
    return static_cast<uint64_t>(load() * static_cast<double>(lines_in_use()));
  }

  void Reserve(uint64_t entries);
  void Append(Entry entry);
  // Of a full first line with others behind it: puts the entry there instead of the one with the
  // greatest low byte, where that is greater than its own, and returns what is to go behind.
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
  // Visits the values of the key at `place` that are near, or all.
  template <typename Visit>
  static void VisitHot(const HotKeyValues& hot, const Near& near, size_t place, size_t limit,
                       const Visit& visit);
  // Visits the values of all keys that differ from the one at `place` in these bits, which are the
  // lowest ones.
  template <typename Visit, typename Cut>
  void VisitLoose(uint32_t mixed, uint32_t loose, const Near& near, size_t place, size_t limit,
                  const Visit& visit, const Cut& cut) const;
  // The least key of the line `line` of ranges of `parts` lines.
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
  uint32_t shift_ = 32;                    // 32 − k
  uint64_t parts_ = 4;                     // of ranges before the frontier; then one more
  uint64_t frontier_ = uint64_t{1} << 32;  // the first key of the ranges that are moved
  LineFormat format_, moved_format_;       // of lines before the frontier, and then
  LineMemory lines_;
  LineMemory overflow_;  // its line i has the link i + 1
  uint64_t overflow_lines_ = 0;
  uint32_t first_free_ = 0;  // a link; free lines are chained
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
  std::array<uint8_t, 1 << kMostKeptBits> visited = {};  // of each key; a chain has 60 entries
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
  constexpr size_t kAhead = 8;  // keys whose arrays are asked for before they are needed
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
