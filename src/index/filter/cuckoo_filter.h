#ifndef ZHIWEN_INDEX_FILTER_CUCKOO_FILTER_H_
#define ZHIWEN_INDEX_FILTER_CUCKOO_FILTER_H_

// The cuckoo filter has buckets of four tags. A key is stored as one tag in one of two buckets, and
// each bucket follows from the other and the tag. B. Fan, D. G. Andersen, M. Kaminsky, M. D.
// Mitzenmacher, "Cuckoo Filter: Practically Better Than Bloom", 2014. There the other bucket is
// found by exclusive or, for a power of two of buckets; here it is hash(tag) − bucket, modulo any
// number of buckets.

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/large_memory.h"
#include "index/filter/filter_table.h"

namespace zhiwen {

struct CuckooShape {
  uint64_t buckets = 0;
  uint64_t tag_bits = 0;

  // Returns the shape for this many keys at a load of 95 %, at which all keys find a place.
  static CuckooShape For(uint64_t keys, double false_positives);

  // Returns whether a table can have this shape.
  bool IsPossible() const;
  uint64_t slots() const { return buckets * 4; }
  uint64_t table_bytes() const { return (slots() * tag_bits + 7) / 8 + 8; }
};

class CuckooFilter : public FilterTable {
 public:
  // Creates a filter without keys. The shape must be possible.
  explicit CuckooFilter(const CuckooShape& shape);
  // Opens a stored table, which must have as many bytes as the shape says.
  CuckooFilter(const CuckooShape& shape, std::string_view table);

  uint64_t keys() const override { return keys_; }
  double false_positives() const override;
  Status Add(std::span<const uint64_t> keys) override;
  Status Remove(std::span<const uint64_t> keys) override;
  size_t Select(std::span<const uint64_t> keys, uint32_t* places) const override;
  std::vector<uint64_t> shape() const override { return {shape_.buckets, shape_.tag_bits}; }
  std::string_view bytes() const override;

 private:
  // The places where a key can be.
  struct Place {
    uint64_t first, second;
    uint64_t tag;  // never 0, which marks an empty slot
  };
  struct Slot {
    uint64_t slot, tag;
  };

  Place PlaceOf(uint64_t key) const;  // also prefetches the memory
  uint64_t OtherBucket(uint64_t bucket, uint64_t tag) const;
  uint64_t Load(uint64_t slot) const;  // and the bits after the slot
  uint64_t TagAt(uint64_t slot) const { return Load(slot) & mask_; }
  void SetTag(uint64_t slot, uint64_t tag);
  bool HasTag(uint64_t bucket, uint64_t tag) const;
  // Returns a slot of the bucket with the tag, or kNoSlot.
  uint64_t FindTag(uint64_t bucket, uint64_t tag) const;
  bool PutTag(uint64_t bucket, uint64_t tag);
  bool Insert(const Place& place);
  uint64_t FindSlot(const Place& place) const;

  CuckooShape shape_;
  uint64_t mask_, pair_mask_, pair_ones_, pair_highs_;  // masks for one tag and for two
  LargeVector<uint8_t> table_;
  uint64_t keys_ = 0;
};

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_FILTER_CUCKOO_FILTER_H_
