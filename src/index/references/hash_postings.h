#ifndef ZHIWEN_INDEX_REFERENCES_HASH_POSTINGS_H_
#define ZHIWEN_INDEX_REFERENCES_HASH_POSTINGS_H_

// A multimap from 64-bit keys to values that is built once and then looked up. Entries are sorted
// by key; a directory by the top bits of a key tells in which few entries to look.
//
// In          (key, value) entries, keys uniform over 64 bits (others cost speed alone), values of
//             one key ascending as they come
// Out         the values of a key, ascending
// Cost        13 to 14 bytes an entry, and nothing more while it is made; a look-up reads two
//             places
// Threads     const after Create: share freely
// Fails       Create: 2³² entries or more → kExhausted

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/prefetch.h"
#include "zhiwen/result.h"

namespace zhiwen {

class HashPostings {
 public:
  using Visit = std::function<void(uint64_t key, uint32_t value)>;

  HashPostings() = default;

  // Makes the postings. `for_each` calls its argument for every entry, `entries` in all; it is
  // called twice.
  static Result<HashPostings> Create(uint64_t entries,
                                     const std::function<void(const Visit&)>& for_each);

  // Returns the bytes of so many entries.
  static uint64_t BytesFor(uint64_t entries);

  size_t size() const { return keys_.size(); }

  uint64_t bytes() const {
    return starts_.capacity() * 4 + keys_.capacity() * 8 + values_.capacity() * 4;
  }

  // Returns the key of every entry, ascending; a key with several values is repeated.
  std::span<const uint64_t> keys() const { return keys_; }

  // Fetch what Find reads first, and what it reads next. Call the one for all keys of a batch, then
  // the other, then Find.
  void PrefetchBucket(uint64_t key) const { Prefetch(&starts_[key >> shift_]); }
  void PrefetchEntries(uint64_t key) const { Prefetch(keys_.data() + starts_[key >> shift_]); }

  // Returns the values of a key, or none; the view is valid as long as the postings.
  std::span<const uint32_t> Find(uint64_t key) const;

  // Returns the place among the entries of values that Find returned, which are not empty; ValuesAt
  // returns the values of a place.
  size_t PlaceOf(std::span<const uint32_t> found) const {
    return static_cast<size_t>(found.data() - values_.data());
  }
  std::span<const uint32_t> ValuesAt(size_t place) const {
    size_t end = place + 1;
    while (end < keys_.size() && keys_[end] == keys_[place]) ++end;
    return std::span(values_).subspan(place, end - place);
  }

 private:
  void SortBucket(size_t begin, size_t end);

  int shift_ = 63;
  std::vector<uint32_t> starts_ = {0, 0, 0};  // by bucket, and one more
  std::vector<uint64_t> keys_;
  std::vector<uint32_t> values_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_REFERENCES_HASH_POSTINGS_H_
