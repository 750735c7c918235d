#ifndef ZHIWEN_INDEX_FILTER_CUCKOO_FILTER_H_
#define ZHIWEN_INDEX_FILTER_CUCKOO_FILTER_H_

// Buckets of four tags; a key is one tag, in one of two buckets, and each bucket is found from the
// other and the tag. B. Fan, D. G. Andersen, M. Kaminsky, M. D. Mitzenmacher, "Cuckoo Filter:
// Practically Better Than Bloom", 2014. There the other bucket is an exclusive or, of a power of
// two; here it is hash(tag) − bucket, modulo any number of buckets.

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/large_memory.h"
#include "index/filter/filter_table.h"

namespace zhiwen {

struct CuckooShape {
  uint64_t buckets = 0;
  uint64_t tag_bits = 0;

  // Of so many keys, at 95 % of the room: there all find a place.
  static CuckooShape For(uint64_t keys, double false_positives);

  // Whether a table can be like that.
  bool IsPossible() const;
  uint64_t slots() const { return buckets * 4; }
  uint64_t table_bytes() const { return (slots() * tag_bits + 7) / 8 + 8; }
};

class CuckooFilter : public FilterTable {
 public:
  // Without a key; the shape is possible.
  explicit CuckooFilter(const CuckooShape& shape);
  // As it was stored: as many bytes as the shape says.
  CuckooFilter(const CuckooShape& shape, std::string_view table);

  uint64_t keys() const override { return keys_; }
  double false_positives() const override;
  Status Add(std::span<const uint64_t> keys) override;
  Status Remove(std::span<const uint64_t> keys) override;
  size_t Select(std::span<const uint64_t> keys, uint32_t* places) const override;
  std::vector<uint64_t> shape() const override { return {shape_.buckets, shape_.tag_bits}; }
  std::string_view bytes() const override;

 private:
  // Where a key can be.
  struct Place {
    uint64_t first, second;
    uint64_t tag;  // never 0, which is an empty slot
  };
  struct Slot {
    uint64_t slot, tag;
  };

  Place PlaceOf(uint64_t key) const;  // asks for its memory, too
  uint64_t OtherBucket(uint64_t bucket, uint64_t tag) const;
  uint64_t Load(uint64_t slot) const;  // and what is behind it
  uint64_t TagAt(uint64_t slot) const { return Load(slot) & mask_; }
  void SetTag(uint64_t slot, uint64_t tag);
  bool HasTag(uint64_t bucket, uint64_t tag) const;
  // A slot of the bucket with the tag; kNoSlot where there is none.
  uint64_t FindTag(uint64_t bucket, uint64_t tag) const;
  bool PutTag(uint64_t bucket, uint64_t tag);
  bool Insert(const Place& place);
  uint64_t FindSlot(const Place& place) const;

  CuckooShape shape_;
  uint64_t mask_, pair_mask_, pair_ones_, pair_highs_;  // of a tag, of two
  LargeVector<uint8_t> table_;
  uint64_t keys_ = 0;
};

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_FILTER_CUCKOO_FILTER_H_
