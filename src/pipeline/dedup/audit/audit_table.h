#ifndef ZHIWEN_PIPELINE_DEDUP_AUDIT_AUDIT_TABLE_H_
#define ZHIWEN_PIPELINE_DEDUP_AUDIT_AUDIT_TABLE_H_

// Which of some drawn documents have keys that another text has: every key of the other is looked
// up, so that what is counted is certain.
//
// In          64-bit keys, uniform, by place: the number of a drawn document
// Guarantees  the counts are exact, whatever repeats itself
// Cost        40 bytes a key while it is made, 17 after; a nanosecond or two a key that nobody has
// Threads     const after Finish: a Counter a worker
// Fails       2³² keys or more → kExhausted

#include <cstdint>
#include <span>
#include <vector>

#include "index/references/bit_filter.h"
#include "index/references/hash_postings.h"
#include "zhiwen/result.h"

namespace zhiwen {

class AuditTable {
 public:
  static constexpr uint64_t kBytesPerKey = 40;

  // Adds the keys (distinct) of the next place.
  void Add(std::span<const uint64_t> keys);
  Status Finish();

  size_t places() const { return places_; }

  // What one text has in common with drawn ones.
  class Counter {
   public:
    // The places that have any of its keys, in no order; valid until the next Count.
    std::span<const uint32_t> touched() const { return touched_; }
    uint32_t shared(uint32_t place) const { return shared_[place]; }
    // How many of its keys, each once, any place has.
    size_t known() const { return known_.size(); }

   private:
    friend class AuditTable;
    std::vector<uint32_t> shared_, touched_, selected_;
    std::vector<uint64_t> known_;
    size_t distinct_ = 0;  // of known_, ascending, in front
  };

  // Counts the keys of a text, with repeats or without.
  void Count(std::span<const uint64_t> keys, Counter& counter) const {
    Begin(counter);
    Add(keys, counter);
    Finish(counter);
  }
  // The same of a text that comes in pieces.
  void Begin(Counter& counter) const;
  void Add(std::span<const uint64_t> keys, Counter& counter) const;
  void Finish(Counter& counter) const;

 private:
  static void SortKnown(Counter& counter);

  struct Entry {
    uint64_t key;
    uint32_t place;
  };

  uint32_t places_ = 0;
  std::vector<Entry> entries_;  // until Finish
  BitFilter filter_;
  HashPostings postings_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_AUDIT_AUDIT_TABLE_H_
