#include "index/line_table/line_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

namespace zhiwen {
namespace {

// The number of last ranges of a growth; each takes several insertions.
constexpr uint64_t kLastRanges = 4096;

// Unused lines are linked in the widest format.
constexpr LineFormat kFreeFormat = LineFormatFor(8);

// Returns the entries for each line. With more, chains get long; with fewer, memory is wasted.
double LoadOf(const LineFormat& format) {
  switch (format.slots) {
    case 12:
      return 9.4;
    case 11:
      return 9.1;
    case 10:
      return 8.1;
    case 8:
      return 5.7;
    default:
      return 4.9;
  }
}

LineFormat FormatOf(uint32_t shift, uint64_t parts) {
  return LineFormatFor(parts == 8 ? shift - 3 : shift - 2);
}

}  // namespace

LineTable::LineTable(double fill, uint32_t most_kept_bits)
    : fill_(fill),
      most_kept_bits_(most_kept_bits),
      format_(FormatOf(shift_, parts_)),
      moved_format_(FormatOf(shift_, parts_ + 1)) {
  lines_.Use(0, parts_);
}

LineTable LineTable::For(uint64_t entries, double fill, uint32_t most_kept_bits) {
  LineTable table(fill, most_kept_bits);
  const auto lines_for_all = [&] {
    return static_cast<uint64_t>(std::ceil(static_cast<double>(entries) / table.load()));
  };
  while (lines_for_all() >= table.ranges() * (table.parts_ + 1)) table.FinishGrowth();
  const uint64_t at_first = table.ranges() * table.parts_;
  const uint64_t moved = std::max(lines_for_all(), at_first) - at_first;
  table.frontier_ -= moved << table.shift_;
  const uint64_t range = table.frontier_ >> table.shift_;
  table.lines_.Use(0, range * table.parts_);
  table.lines_.Use(range * (table.parts_ + 1), table.ranges() * (table.parts_ + 1));
  return table;
}

uint64_t LineTable::bytes() const { return lines_.bytes() + overflow_.bytes() + hot_.bytes(); }

double LineTable::load() const { return fill_ * LoadOf(format_); }

uint64_t LineTable::HotValues(uint32_t mixed) const {
  const HotKeyValues* const hot = FindHot(mixed);
  return hot == nullptr ? 0 : hot->size();
}

void LineTable::Insert(uint32_t mixed, uint32_t value) {
  Append({mixed, value});
  if (++size_ > Room()) MoveRange();
}

void LineTable::InsertMany(std::span<const uint64_t> entries) {
  constexpr size_t kAhead = 16;
  Reserve(size_ + entries.size());
  for (size_t i = 0; i < entries.size(); ++i) {
    if (i + kAhead < entries.size()) {
      PrefetchLine(static_cast<uint32_t>(entries[i + kAhead] >> 32));
    }
    Append({static_cast<uint32_t>(entries[i] >> 32), static_cast<uint32_t>(entries[i])});
  }
  size_ += entries.size();
}

// Growth moves every entry four times until a table is twice as large, which this avoids.
void LineTable::Reserve(uint64_t entries) {
  if (entries <= size_ + size_ / 2) {
    while (entries > Room()) MoveRange();
    return;
  }
  LineTable larger = For(entries, fill_, most_kept_bits_);
  VisitAll([&](uint32_t mixed, uint32_t value) { larger.Append({mixed, value}); });
  larger.size_ = size_;
  *this = std::move(larger);
}

void LineTable::Append(Entry entry) {
  const LineFormat& format = FormatFor(entry.mixed);
  const uint64_t first = LineOf(entry.mixed);
  const uint64_t parts = parts_ + (IsMoved(entry.mixed) ? 1 : 0);
  Line* line = lines_.at(first);
  if (HasHotKeys(*line, format)) {
    if (HotKeyValues* const hot = hot_.Find(entry.mixed)) return hot->Add(entry.value);
  }
  size_t chain = 0;
  if (SlotCount(*line) == format.slots) entry = Displace(*line, format, entry);
  uint32_t link = LinkOf(*line, format);
  for (; link != 0 && link != format.hot_link(); ++chain) {
    line = overflow_.at(link - 1);
    link = LinkOf(*line, format);
  }
  uint32_t slot = SlotCount(*line);
  if (slot == format.slots || (chain == 0 && link != 0)) {
    line = overflow_.at(AddOverflow(*line, format) - 1);
    slot = 0;
    ++chain;
  }
  WithSlots(format, [&](const auto& in) { in.Put(*line, slot, entry.mixed, entry.value); });
  SetSlotCount(*line, slot + 1);
  if (chain > kLongestChain) SpillHottest(first, parts, format);
}

// The returned entry has only the low bits of its key, since no key of such a chain is hot.
LineTable::Entry LineTable::Displace(Line& first, const LineFormat& format, Entry entry) {
  return WithSlots(format, [&](const auto& in) -> Entry {
    const size_t last = in.kSlots - 1;
    const auto exchange = [&](size_t slot, Entry with) -> Entry {
      const Entry was = {in.Rest(first, slot), first.value(slot)};
      in.Put(first, slot, with.mixed, with.value);
      return was;
    };
    const auto put_greatest_last = [&] {
      size_t greatest = last;
      for (size_t slot = 0; slot < last; ++slot) {
        if (in.LowByte(first, slot) > in.LowByte(first, greatest)) greatest = slot;
      }
      exchange(greatest, exchange(last, {in.Rest(first, greatest), first.value(greatest)}));
    };
    if (LinkOf(first, format) == 0) put_greatest_last();
    if (static_cast<uint8_t>(entry.mixed) >= in.LowByte(first, last)) return entry;
    const Entry displaced = exchange(last, entry);
    put_greatest_last();
    return displaced;
  });
}

// Adds an empty line after the last one of a chain, and returns its link.
uint32_t LineTable::AddOverflow(Line& last, const LineFormat& format) {
  uint32_t link = first_free_;
  if (link != 0) {
    first_free_ = LinkOf(*overflow_.at(link - 1), kFreeFormat);
    --free_overflow_;
  } else {
    overflow_.Use(overflow_lines_, overflow_lines_ + 1);
    link = static_cast<uint32_t>(++overflow_lines_);
  }
  Line& added = *overflow_.at(link - 1);
  added = Line();
  SetLink(added, format, LinkOf(last, format));
  SetLink(last, format, link);
  return link;
}

void LineTable::FreeOverflow(uint32_t link) {
  SetLink(*overflow_.at(link - 1), kFreeFormat, first_free_);
  first_free_ = link;
  ++free_overflow_;
}

void LineTable::FreeChain(const Line& first, const LineFormat& format) {
  for (uint32_t link = LinkOf(first, format); link != 0 && link != format.hot_link();) {
    const uint32_t next = LinkOf(*overflow_.at(link - 1), format);
    FreeOverflow(link);
    link = next;
  }
}

// Moves the keys of a line with the most values to arrays of their own, until half the chain is
// left.
void LineTable::SpillHottest(uint64_t line, uint64_t parts, const LineFormat& format) {
  std::map<uint32_t, std::vector<uint32_t>> values;
  size_t left = 0;
  VisitLine(line, parts, format, [&](uint32_t mixed, uint32_t value) {
    values[mixed].push_back(value);
    ++left;
  });
  std::vector<std::pair<size_t, uint32_t>> by_size;
  by_size.reserve(values.size());
  for (const auto& [mixed, of_key] : values) by_size.emplace_back(of_key.size(), mixed);
  std::sort(by_size.rbegin(), by_size.rend());
  Line& first = *lines_.at(line);
  FreeChain(first, format);
  first = Line();
  SetLink(first, format, format.hot_link());
  for (const auto& [size, mixed] : by_size) {
    if (left > kLongestChain / 2 * format.slots) {
      HotKeyValues& hot = hot_.Insert(mixed);
      for (const uint32_t value : values[mixed]) hot.Add(value);
      left -= size;
    } else {
      for (const uint32_t value : values[mixed]) Append({mixed, value});
    }
  }
}

// Gives the last range that is not moved yet its new line.
void LineTable::MoveRange() {
  const uint64_t range = (frontier_ >> shift_) - 1;
  lines_.Use(range * (parts_ + 1), (range + 1) * (parts_ + 1));
  std::array<Entry, 7 * (kLongestChain + 1) * 12> moving;
  size_t count = 0;
  for (uint64_t i = range * parts_; i < (range + 1) * parts_; ++i) {
    VisitLine(i, parts_, format_, [&](uint32_t mixed, uint32_t value) {
      moving[count++] = {mixed, value};
    });
    FreeChain(*lines_.at(i), format_);
  }
  frontier_ = range << shift_;
  PutMoved(range * (parts_ + 1), {moving.data(), count});
  // Between the lines that are not moved yet and the moved ones there are none.
  lines_.Drop(range * parts_, range * (parts_ + 1));
  if (range == 0) return FinishGrowth();
  PrefetchNextMove();
  if (range < std::min(kLastRanges, ranges() / 16)) FetchNextGrowth();
}

// Lets the memory be fetched with which the next growth begins.
void LineTable::FetchNextGrowth() {
  const uint64_t parts = parts_ + 1 == 8 ? 4 : parts_ + 1;
  lines_.Fetch((parts == 4 ? 2 : 1) * ranges() * (parts + 1) - 1);
}

// Prefetches what the next move reads: the overflow lines of the next range, and the lines of the
// one after it.
void LineTable::PrefetchNextMove() const {
  const uint64_t end = (frontier_ >> shift_) * parts_;
  for (uint64_t i = 1; i <= std::min(parts_, end); ++i) {
    const uint32_t link = LinkOf(*lines_.at(end - i), format_);
    if (link - 1 < overflow_lines_) Prefetch(overflow_.at(link - 1));
    if (i + parts_ <= end) Prefetch(lines_.at(end - i - parts_));
  }
}

// Makes the lines of the range at the frontier.
void LineTable::PutMoved(uint64_t first_line, std::span<Entry> entries) {
  std::array<Line*, 8> lines = {};
  std::array<uint32_t, 8> counts = {};
  for (uint64_t i = 0; i <= parts_; ++i) {
    lines[i] = lines_.at(first_line + i);
    *lines[i] = Line();
  }
  const uint64_t end = frontier_ + (uint64_t{1} << shift_);
  hot_.VisitFrom(static_cast<uint32_t>(frontier_), end, [&](uint32_t mixed, const HotKeyValues&) {
    SetLink(*lines[LineOf(mixed) - first_line], moved_format_, moved_format_.hot_link());
  });
  size_t left = 0;  // entries that found no slot
  WithSlots(moved_format_, [&](const auto& in) {
    for (const Entry& entry : entries) {
      const uint64_t i = LineOf(entry.mixed) - first_line;
      if (counts[i] == in.kSlots || LinkOf(*lines[i], moved_format_) != 0) {
        entries[left++] = entry;
      } else {
        in.Put(*lines[i], counts[i]++, entry.mixed, entry.value);
      }
    }
  });
  for (uint64_t i = 0; i <= parts_; ++i) SetSlotCount(*lines[i], counts[i]);
  for (const Entry& entry : entries.first(left)) Append(entry);
}

void LineTable::FinishGrowth() {
  if (++parts_ == 8) {
    parts_ = 4;
    --shift_;
  }
  frontier_ = uint64_t{1} << 32;
  format_ = FormatOf(shift_, parts_);
  moved_format_ = FormatOf(shift_, parts_ + 1);
}

bool LineTable::Contains(uint32_t mixed, uint32_t value) const {
  bool found = false;
  VisitValues(mixed, SIZE_MAX, [&](uint32_t other) { found |= other == value; });
  return found;
}

// For the first line of a chain: moves the entry with the least low byte of the following lines
// into its last slot, whose entry goes to the free slot. Returns where the moved entry was.
LineTable::Place LineTable::PullUp(Line& first, size_t free_slot, const LineFormat& format) {
  return WithSlots(format, [&](const auto& in) {
    const size_t last = in.kSlots - 1;
    in.Put(first, free_slot, in.Rest(first, last), first.value(last));
    Place least;
    uint32_t link = LinkOf(first, format);
    while (link != 0 && link != format.hot_link()) {
      Line& line = *overflow_.at(link - 1);
      for (size_t slot = 0; slot < SlotCount(line); ++slot) {
        const bool is_less =
            least.line == nullptr || in.LowByte(line, slot) < in.LowByte(*least.line, least.slot);
        if (is_less) least = {&line, slot};
      }
      link = LinkOf(line, format);
    }
    in.Put(first, last, in.Rest(*least.line, least.slot), least.line->value(least.slot));
    return least;
  });
}

bool LineTable::Remove(uint32_t mixed, uint32_t value) {
  const LineFormat& format = FormatFor(mixed);
  const uint32_t rest = mixed & format.rest_mask();
  Line* found = nullptr;
  size_t found_slot = 0;
  Line* before = nullptr;  // the line before the last one
  Line* const first = lines_.at(LineOf(mixed));
  Line* line = first;
  return WithSlots(format, [&](const auto& in) {
    uint32_t link;
    for (;;) {
      for (uint64_t slots = SlotsWith(*line, format, mixed); slots != 0; slots &= slots - 1) {
        const auto slot = static_cast<size_t>(__builtin_ctzll(slots));
        if (line->value(slot) != value || in.Rest(*line, slot) != rest) continue;
        found = line;
        found_slot = slot;
      }
      link = LinkOf(*line, format);
      if (link == 0 || link == format.hot_link()) break;
      before = line;
      line = overflow_.at(link - 1);
    }
    if (found == nullptr) return link != 0 && RemoveHot(mixed, value);
    if (found == first && line != first) {
      const Place place = PullUp(*first, found_slot, format);
      found = place.line;
      found_slot = place.slot;
    }
    // The last entry of the chain takes the place of the removed one.
    const uint32_t last = SlotCount(*line) - 1;
    in.Put(*found, found_slot, in.Rest(*line, last), line->value(last));
    SetSlotCount(*line, last);
    if (last == 0 && before != nullptr) {
      const uint32_t emptied = LinkOf(*before, format);
      SetLink(*before, format, link);
      FreeOverflow(emptied);
    }
    --size_;
    return true;
  });
}

bool LineTable::RemoveHot(uint32_t mixed, uint32_t value) {
  HotKeyValues* const hot = hot_.Find(mixed);
  if (hot == nullptr || !hot->Remove(value)) return false;
  if (hot->size() == 0) hot_.Erase(mixed);
  --size_;
  return true;
}

void LineTable::Select(std::span<const uint32_t> mixed, const Near& near,
                       std::vector<uint32_t>& places) const {
  const LineSearch search = {.chunks = lines_.chunks(),
                             .frontier = frontier_,
                             .parts = parts_,
                             .shift = shift_,
                             .slots = format_.slots,
                             .moved_slots = moved_format_.slots,
                             .overflow_chunks = overflow_.chunks(),
                             .overflow_lines = overflow_lines_,
                             .others = near.bounds.empty() ? nullptr : near.others.data(),
                             .bounds = near.bounds.data(),
                             .together = static_cast<uint32_t>(near.bounds.size()),
                             .kept_bits = kept_bits(),
                             .loose = near.loose.empty() ? nullptr : near.loose.data()};
  places.resize(mixed.size());
  places.resize(ActiveKernels().select_lines(search, mixed.data(), mixed.size(), places.data()));
}

}  // namespace zhiwen
