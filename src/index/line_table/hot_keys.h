#ifndef ZHIWEN_INDEX_LINE_TABLE_HOT_KEYS_H_
#define ZHIWEN_INDEX_LINE_TABLE_HOT_KEYS_H_

// Stores the values of keys that have many, each key in arrays of its own, so that a look-up of
// such a key reads contiguous memory. Keys are mixed 32-bit ones, whose upper bits spread evenly.
//
// Guarantees  adding a value to a key moves no more than kChunkValues others; when memory runs out,
//             nothing has changed
// Cost        4 bytes a value and up to as much for growth, 70 to 130 a key; 200 KiB as soon as
//             there is a key. A new key moves those of its bucket, one of 4096; removing a value
//             compares those of its key
// Threads     const functions from many threads; the others alone
// Fails       std::bad_alloc, as operator new does

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/prefetch.h"
#include "kernels/kernels.h"

namespace zhiwen {

class HotKeyValues {
 public:
  static constexpr size_t kChunkValues = 4096;

  uint64_t size() const { return full_.size() * kChunkValues + last_.size(); }
  uint64_t bytes() const {
    return (full_.size() * kChunkValues + last_.capacity()) * sizeof(uint32_t) +
           full_.capacity() * sizeof(std::vector<uint32_t>);
  }

  void Add(uint32_t value);
  // Removes a value. Returns whether it was there. The last value takes its place.
  bool Remove(uint32_t value);

  // Calls visit(value) for every value, or for `limit` values if there are more.
  template <typename Visit>
  void VisitValues(size_t limit, const Visit& visit) const {
    VisitChunks(limit, [&](std::span<const uint32_t> values) {
      for (const uint32_t value : values) visit(value);
    });
  }
  // Calls visit(value) for those, among `limit` values, that differ from `other` in at most `bound`
  // bits.
  template <typename Visit>
  void VisitNear(uint32_t other, uint32_t bound, size_t limit, const Visit& visit) const {
    constexpr size_t kTogether = 256;
    std::array<uint32_t, kTogether> places;
    VisitChunks(limit, [&](std::span<const uint32_t> values) {
      for (size_t begin = 0; begin < values.size(); begin += kTogether) {
        const auto some = values.subspan(begin, std::min(kTogether, values.size() - begin));
        const size_t near =
            ActiveKernels().values_within(some.data(), some.size(), other, bound, places.data());
        for (size_t i = 0; i < near; ++i) visit(some[places[i]]);
      }
    });
  }

  // Prefetches the first values.
  void PrefetchValues() const {
    const std::vector<uint32_t>& first = full_.empty() ? last_ : full_.front();
    for (size_t i = 0; i < std::min<size_t>(first.size(), 64); i += 16) Prefetch(&first[i]);
  }

 private:
  template <typename Visit>
  void VisitChunks(size_t limit, const Visit& visit) const {
    const auto visit_some = [&](const std::vector<uint32_t>& chunk) {
      const auto some = std::span(chunk).first(std::min(limit, chunk.size()));
      limit -= some.size();
      visit(some);
    };
    for (const auto& chunk : full_) visit_some(chunk);
    visit_some(last_);
  }

  std::vector<std::vector<uint32_t>> full_;  // chunks
  std::vector<uint32_t> last_;
};

class HotKeys {
 public:
  size_t size() const { return size_; }
  uint64_t bytes() const;

  // Returns null when the key is not there.
  const HotKeyValues* Find(uint32_t mixed) const {
    if (size_ == 0) return nullptr;
    const Bucket& bucket = buckets_[mixed >> kShift];
    const auto at = std::ranges::lower_bound(bucket.keys, mixed);
    if (at == bucket.keys.end() || *at != mixed) return nullptr;
    return &bucket.values[static_cast<size_t>(at - bucket.keys.begin())];
  }
  HotKeyValues* Find(uint32_t mixed) {
    return const_cast<HotKeyValues*>(std::as_const(*this).Find(mixed));
  }
  // Inserts a key, which must not be there.
  HotKeyValues& Insert(uint32_t mixed);
  // Removes a key, which must be there.
  void Erase(uint32_t mixed);

  // Calls visit(mixed, values) for every key from `begin` to `end`, in ascending order.
  template <typename Visit>
  void VisitFrom(uint32_t begin, uint64_t end, const Visit& visit) const {
    if (size_ == 0) return;
    for (uint64_t i = begin >> kShift; i << kShift < end; ++i) {
      const Bucket& bucket = buckets_[i];
      const auto first = std::ranges::lower_bound(bucket.keys, begin) - bucket.keys.begin();
      for (auto k = static_cast<size_t>(first); k < bucket.keys.size(); ++k) {
        if (bucket.keys[k] >= end) return;
        visit(bucket.keys[k], bucket.values[k]);
      }
    }
  }

 private:
  static constexpr uint32_t kShift = 20;  // 4096 buckets

  struct Bucket {
    std::vector<uint32_t> keys;  // ascending
    std::vector<HotKeyValues> values;
  };

  // Buckets by the upper bits of keys; empty when there is no key.
  std::vector<Bucket> buckets_;
  size_t size_ = 0;
};

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_LINE_TABLE_HOT_KEYS_H_
