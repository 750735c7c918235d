#ifndef ZHIWEN_PIPELINE_DEDUP_AUDIT_AUDIT_TABLE_H_
#define ZHIWEN_PIPELINE_DEDUP_AUDIT_AUDIT_TABLE_H_

// Counts the keys that a text shares with each of some drawn documents. Every key of the text is
// looked up, so that the counts are certain.
//
// In          64-bit keys, uniform, by place: the number of a drawn document
// Guarantees  the counts are exact, however often keys repeat
// Cost        40 bytes a key while the table is made, 17 after; a nanosecond or two to look up a
//             key that no drawn document has
// Threads     const after Finish: a Counter a worker
// Fails       2³² keys or more → kExhausted

#include <cstdint>
#include <span>
#include <vector>

#include "index/references/bit_filter.h"
#include "index/references/hash_postings.h"
#include "zhiwen/result.h"

namespace zhiwen {

// Bytes that a drawn document takes in the tables of an audit, beside its keys.
inline constexpr uint64_t kBytesPerSample = 512;

class AuditTable {
 public:
  static constexpr uint64_t kBytesPerKey = 40;

  // Adds the keys (distinct) of the next place.
  void Add(std::span<const uint64_t> keys);
  Status Finish();

  size_t places() const { return places_; }

  // Counts of the keys that one text shares with drawn documents.
  class Counter {
   public:
    // The places that share a key with the text, in no order; valid until the next Count.
    std::span<const uint32_t> touched() const { return touched_; }
    uint32_t shared(uint32_t place) const { return shared_[place]; }
    // How many distinct keys of the text any place has.
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
  // The same for a text that comes in pieces: Begin, Add for each piece, Finish.
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
