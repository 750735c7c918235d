#ifndef ZHIWEN_INDEX_HAMMING_PACKED_TABLE_H_
#define ZHIWEN_INDEX_HAMMING_PACKED_TABLE_H_

// An immutable LineTable in a file: entries in the order of their mixed keys, twelve to a line or
// as many as its format has, every line full; and a directory of where the entries with each value
// of the upper bits of a key begin.
//
// Cost        5.6 to 6.9 bytes an entry from a million on; a look-up reads one place of the
//             directory and about two lines
// Threads     const after Open: share freely
// Fails       Open, VisitKeys, VisitAll: kUnreadable when the file is damaged; a forged file is
//             refused, too, or gives entries that were never written
// Persisted   docs/formats/code_index.md

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/block_file.h"
#include "base/prefetch.h"
#include "index/line_table/line_slots.h"
#include "index/line_table/line_table.h"
#include "zhiwen/result.h"

namespace zhiwen {

// Key and value as one number, by which entries are ordered.
constexpr uint64_t EntryOf(uint32_t mixed, uint32_t value) {
  return static_cast<uint64_t>(mixed) << 32 | value;
}
constexpr uint32_t MixedOf(uint64_t entry) { return static_cast<uint32_t>(entry >> 32); }
constexpr uint32_t ValueOf(uint64_t entry) { return static_cast<uint32_t>(entry); }

// Returns how many upper bits of a key the directory for this many entries has.
uint32_t DirectoryBits(uint64_t entries);

// Writes the sections NAME.lines and NAME.starts.
class PackedTableWriter {
 public:
  // `entries` is the number of entries that will be added, fewer than 2³².
  PackedTableWriter(BlockFileWriter& file, std::string_view name, uint64_t entries);

  Status Start();
  // Entries must ascend. Fails, as all functions here, as the file does.
  Status Add(uint64_t entry);
  Status Finish();

 private:
  Status WriteLines();

  BlockFileWriter& file_;
  const std::string name_;
  const uint32_t directory_bits_;
  const LineFormat format_;
  std::vector<uint32_t> starts_;
  std::vector<Line> lines_;  // the last lines
  uint64_t added_ = 0;
};

class PackedTable {
 public:
  // Opens the table of the sections NAME.lines and NAME.starts, with this many entries. The file
  // must outlive the table.
  static Result<PackedTable> Open(const BlockFile& file, std::string_view name, uint64_t entries);

  uint64_t size() const { return size_; }

  // Calls visit(place, value) for every value of each key, and cut(place) for a key of which only
  // `limit` values were visited.
  template <typename Visit, typename Cut>
  Status VisitKeys(std::span<const uint32_t> mixed, size_t limit, std::vector<uint32_t>& scratch,
                   const Visit& visit, const Cut& cut) const;
  // Implements the function of half_keys.h. Values that are not near are visited, too, and no bits
  // are loose.
  template <typename Visit, typename Cut>
  Status VisitNear(std::span<const uint32_t> mixed, const LineTable::Near& /*near*/, size_t limit,
                   std::vector<uint32_t>& scratch, const Visit& visit, const Cut& cut) const {
    const auto visit_value = [&](size_t place, uint32_t value) {
      visit(place, uint32_t{0}, value);
    };
    return VisitKeys(mixed, limit, scratch, visit_value, cut);
  }

  // Calls visit(mixed, value) for every entry, by key.
  template <typename Visit>
  Status VisitAll(const Visit& visit) const;

  // Prefetch what Find reads first, and the lines that it reads afterwards.
  void PrefetchStart(uint64_t entry) const {
    Prefetch(starts_.values<uint32_t>() + (uint64_t{MixedOf(entry)} >> shift_));
  }
  void PrefetchLines(uint64_t entry) const {
    // The value is not checked yet; whatever it is, only a line of the file is prefetched.
    const uint32_t start = starts_.values<uint32_t>()[uint64_t{MixedOf(entry)} >> shift_];
    if (start < size_) Prefetch(&LineAt(start / format_.slots));
  }
  // Returns the number of an entry, or nothing when the table lacks it.
  Result<std::optional<uint32_t>> Find(uint64_t entry) const;
  // Returns the entry with a number below size().
  Result<uint64_t> At(uint32_t number) const;

 private:
  friend class PackedCursor;
  struct Range {
    uint32_t begin = 0, end = 0;
  };

  // Returns the range of entries with these upper bits of the key, checked against the size of the
  // table.
  Result<Range> RangeOf(uint32_t bucket) const;
  const Line& LineAt(uint64_t line) const { return lines_.values<Line>()[line]; }
  // Returns the entry of a number in the bucket. Its line must have been checked.
  uint64_t EntryIn(uint32_t bucket, uint32_t number) const {
    const Line& line = LineAt(number / format_.slots);
    const size_t slot = number % format_.slots;
    const uint32_t rest = WithSlots(format_, [&](const auto& in) { return in.Rest(line, slot); });
    const auto rest_mask = static_cast<uint32_t>((uint64_t{1} << shift_) - 1);
    const auto upper = static_cast<uint32_t>(uint64_t{bucket} << shift_);
    return EntryOf(upper | (rest & rest_mask), line.value(slot));
  }
  uint64_t buckets() const { return uint64_t{1} << (32 - shift_); }
  Status CheckLines(const Range& range) const;

  BlockSection starts_, lines_;
  uint64_t size_ = 0;
  uint32_t shift_ = 0;  // 32 minus the bits of the directory
  LineFormat format_;
};

// Iterates over the entries of a table. The table must outlive the cursor.
class PackedCursor {
 public:
  explicit PackedCursor(const PackedTable& table) : table_(&table) {}

  // Moves to the first entry, then to the next. Returns false after the last one. Fails:
  // kUnreadable when the file is damaged.
  Result<bool> Next();
  uint64_t entry() const { return entry_; }
  uint32_t number() const { return number_; }

 private:
  const PackedTable* table_;
  PackedTable::Range range_;  // entries of the bucket before bucket_
  uint32_t bucket_ = 0;
  uint32_t next_ = 0;  // number of the next entry
  uint32_t number_ = 0;
  uint64_t entry_ = 0;
};

template <typename Visit, typename Cut>
Status PackedTable::VisitKeys(std::span<const uint32_t> mixed, size_t limit,
                              std::vector<uint32_t>& scratch, const Visit& visit,
                              const Cut& cut) const {
  constexpr size_t kAhead = 24;
  const auto* const starts = starts_.values<uint32_t>();
  const auto prefetch = [&](size_t i) { Prefetch(starts + (uint64_t{mixed[i]} >> shift_)); };
  // Each key has two numbers: where its entries begin and end.
  scratch.resize(2 * mixed.size());
  for (size_t i = 0; i < std::min(kAhead, mixed.size()); ++i) prefetch(i);
  for (size_t i = 0; i < mixed.size(); ++i) {
    if (i + kAhead < mixed.size()) prefetch(i + kAhead);
    const auto bucket = static_cast<uint32_t>(uint64_t{mixed[i]} >> shift_);
    ZHIWEN_ASSIGN_OR_RETURN(const Range range, RangeOf(bucket));
    scratch[2 * i] = range.begin;
    scratch[2 * i + 1] = range.end;
    if (range.begin < range.end) {
      Prefetch(&LineAt(range.begin / format_.slots));
      Prefetch(&LineAt((range.end - 1) / format_.slots));
    }
  }
  return WithSlots(format_, [&](const auto& in) -> Status {
    for (size_t i = 0; i < mixed.size(); ++i) {
      const Range range = {scratch[2 * i], scratch[2 * i + 1]};
      if (range.begin == range.end) continue;
      ZHIWEN_RETURN_IF_ERROR(CheckLines(range));
      const uint32_t rest = mixed[i] & format_.rest_mask();
      size_t visited = 0;
      for (uint64_t line = range.begin / in.kSlots; line <= (range.end - 1) / in.kSlots; ++line) {
        const Line& at = LineAt(line);
        for (uint64_t slots = SlotsWith(at, format_, mixed[i]); slots != 0; slots &= slots - 1) {
          const auto slot = static_cast<size_t>(__builtin_ctzll(slots));
          const uint64_t entry = line * in.kSlots + slot;
          if (entry < range.begin || entry >= range.end || in.Rest(at, slot) != rest) continue;
          if (visited++ == limit) break;
          visit(i, at.value(slot));
        }
        if (visited > limit) break;
      }
      if (visited > limit) cut(i);
    }
    return {};
  });
}

template <typename Visit>
Status PackedTable::VisitAll(const Visit& visit) const {
  return WithSlots(format_, [&](const auto& in) -> Status {
    const auto rest_mask = static_cast<uint32_t>((uint64_t{1} << shift_) - 1);
    for (uint64_t bucket = 0; bucket < buckets(); ++bucket) {
      ZHIWEN_ASSIGN_OR_RETURN(const Range range, RangeOf(static_cast<uint32_t>(bucket)));
      if (range.begin == range.end) continue;
      ZHIWEN_RETURN_IF_ERROR(CheckLines(range));
      const auto upper = static_cast<uint32_t>(bucket << shift_);
      for (uint64_t entry = range.begin; entry < range.end; ++entry) {
        const Line& line = LineAt(entry / in.kSlots);
        const size_t slot = entry % in.kSlots;
        visit(upper | (in.Rest(line, slot) & rest_mask), line.value(slot));
      }
    }
    return {};
  });
}

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_HAMMING_PACKED_TABLE_H_
