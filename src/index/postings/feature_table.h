#ifndef ZHIWEN_INDEX_POSTINGS_FEATURE_TABLE_H_
#define ZHIWEN_INDEX_POSTINGS_FEATURE_TABLE_H_

// Maps the key of a feature to the number of its live documents and their place, by open addressing
// in the order of keys, at most three quarters full.
//
// Cost     21 to 43 bytes a feature; growth moves all entries, and doubles the room
// Threads  const functions from many threads; the others alone

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace zhiwen {

class FeatureTable {
 public:
  struct Entry {
    uint64_t key = 0;
    uint32_t frequency = 0;  // 0 when the entry is free
    uint32_t at = 0;
  };

  FeatureTable() : entries_(1 << 4) {}

  size_t size() const { return size_; }
  uint64_t bytes() const { return entries_.capacity() * sizeof(Entry); }

  // Returns the entry of a key, or null. It is valid until an entry is added or erased.
  const Entry* Find(uint64_t key) const {
    const Entry& entry = entries_[PlaceOf(key)];
    return entry.frequency > 0 ? &entry : nullptr;
  }
  Entry* Find(uint64_t key) {
    return const_cast<Entry*>(static_cast<const FeatureTable&>(*this).Find(key));
  }

  // Adds a key, which must not be in the table.
  void Add(const Entry& entry) {
    if ((++size_) * 4 > entries_.size() * 3) Grow();
    entries_[PlaceOf(entry.key)] = entry;
  }

  void Erase(uint64_t key) {
    --size_;
    size_t free = PlaceOf(key);
    // Later entries move forward, unless that would place them before their home.
    for (size_t at = Next(free); entries_[at].frequency > 0; at = Next(at)) {
      const size_t home = HomeOf(entries_[at].key);
      if (((at - home) & Mask()) < ((at - free) & Mask())) continue;
      entries_[free] = entries_[at];
      free = at;
    }
    entries_[free] = {};
  }

  // Calls visit(entry) for every entry.
  template <typename Visit>
  void VisitAll(const Visit& visit) const {
    for (const Entry& entry : entries_) {
      if (entry.frequency > 0) visit(entry);
    }
  }

  const Entry* HomePlace(uint64_t key) const { return &entries_[HomeOf(key)]; }

 private:
  size_t Mask() const { return entries_.size() - 1; }
  size_t Next(size_t at) const { return (at + 1) & Mask(); }
  size_t HomeOf(uint64_t key) const {
    return static_cast<size_t>(key >> (64 - std::countr_zero(entries_.size())));
  }
  size_t PlaceOf(uint64_t key) const {
    size_t at = HomeOf(key);
    while (entries_[at].frequency > 0 && entries_[at].key != key) at = Next(at);
    return at;
  }
  void Grow() {
    std::vector<Entry> before(entries_.size() * 2);
    before.swap(entries_);
    for (const Entry& entry : before) {
      if (entry.frequency > 0) entries_[PlaceOf(entry.key)] = entry;
    }
  }

  std::vector<Entry> entries_;  // 2ᵏ
  size_t size_ = 0;
};

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_POSTINGS_FEATURE_TABLE_H_
