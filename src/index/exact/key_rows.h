#ifndef ZHIWEN_INDEX_EXACT_KEY_ROWS_H_
#define ZHIWEN_INDEX_EXACT_KEY_ROWS_H_

// The rows of 64-bit keys, in a LineTable. Under half of the mixed key, the table has slots of an
// array, which holds the other half and the row. A key is thereby compared in full and never
// mistaken for another one.
//
// In          fewer than 2³² entries
// Guarantees  exact, unless a query lists fewer rows than there are
// Cost        at most 17 bytes an entry from ten million on, 19 from a million on. A missing key
//             reads one line; any other reads two and the lines of its rows, also when fewer are
//             listed and another key has the same half. Removing one of hundreds of rows of a key
//             reads all of these
// Threads     const functions from many threads; the others alone
// Fails       std::bad_alloc, as operator new does

#include <cstdint>
#include <optional>
#include <span>

#include "index/exact/exact_index.h"
#include "index/exact/slot_array.h"
#include "index/line_table/line_table.h"

namespace zhiwen {

class KeyRows final : public ExactIndex {
 public:
  uint64_t size() const override { return table_.size(); }
  uint64_t bytes() const override { return table_.bytes() + entries_.bytes(); }

  void Query(std::span<const uint64_t> keys, const ExactQueryOptions& options,
             ExactAnswer& answer) const override;
  void Insert(std::span<const KeyRow> entries) override;
  uint64_t Remove(std::span<const KeyRow> entries) override;

 private:
  // A key as the table stores it; the upper half is looked up.
  struct MixedKey {
    uint32_t high, low;
  };
  // A free entry has the link to the next free one in `row`.
  struct Entry {
    uint32_t low, row;
  };

  // The rows of a key already in an answer: the first ones in the order of the table.
  struct Listed {
    uint32_t query = 0;
    size_t rows = 0;
  };

  static MixedKey Mix(uint64_t key);
  bool ListRest(uint64_t key, size_t most_rows, const Listed& listed, ExactAnswer& answer) const;
  std::optional<uint32_t> Find(const MixedKey& key, uint32_t row) const;
  uint32_t Store(const Entry& entry);

  LineTable table_;
  SlotArray<Entry> entries_;
  uint32_t first_free_ = 0;  // link to a slot: the slot plus 1, or 0
};

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_EXACT_KEY_ROWS_H_
