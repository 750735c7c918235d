#include "index/references/hash_postings.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <tuple>
#include <utility>

namespace zhiwen {
namespace {

constexpr uint64_t kEntriesPerBucket = 2;  // at least; at most twice as many
constexpr size_t kSearched = 16;           // a longer bucket is searched, a shorter one read

uint64_t BucketsFor(uint64_t entries) {
  return std::max<uint64_t>(std::bit_floor(entries / kEntriesPerBucket + 1), 2);
}

}  // namespace

uint64_t HashPostings::BytesFor(uint64_t entries) {
  return entries * 12 + (BucketsFor(entries) + 1) * 4;
}

Result<HashPostings> HashPostings::Create(uint64_t entries,
                                          const std::function<void(const Visit&)>& for_each) {
  if (entries > UINT32_MAX) {
    return Fail(
        ErrorCode::kExhausted,
        fmt::format("cannot index {} shingles: the limit is 2^32; use fewer references", entries));
  }
  HashPostings postings;
  const uint64_t buckets = BucketsFor(entries);
  postings.shift_ = 64 - std::countr_zero(buckets);
  postings.starts_.assign(buckets + 1, 0);
  postings.keys_.resize(entries);
  postings.values_.resize(entries);
  // After the second pass starts_[b] is the end of bucket b, hence the start of the next one.
  std::vector<uint32_t>& starts = postings.starts_;
  for_each([&](uint64_t key, uint32_t) { ++starts[key >> postings.shift_]; });
  uint32_t start = 0;
  for (uint32_t& count : starts) start += std::exchange(count, start);
  for_each([&](uint64_t key, uint32_t value) {
    const uint32_t place = starts[key >> postings.shift_]++;
    postings.keys_[place] = key;
    postings.values_[place] = value;
  });
  std::copy_backward(starts.begin(), starts.end() - 1, starts.end());
  starts.front() = 0;
  for (uint64_t bucket = 0; bucket < buckets; ++bucket) {
    postings.SortBucket(starts[bucket], starts[bucket + 1]);
  }
  return postings;
}

// Sorts the entries of a bucket by key. The entries of one key keep their order.
void HashPostings::SortBucket(size_t begin, size_t end) {
  if (end - begin > kSearched) {
    std::vector<std::pair<uint64_t, uint32_t>> entries;
    for (size_t i = begin; i < end; ++i) entries.emplace_back(keys_[i], values_[i]);
    std::stable_sort(entries.begin(), entries.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (size_t i = begin; i < end; ++i) std::tie(keys_[i], values_[i]) = entries[i - begin];
    return;
  }
  for (size_t i = begin + 1; i < end; ++i) {
    const uint64_t key = keys_[i];
    const uint32_t value = values_[i];
    size_t at = i;
    for (; at > begin && key < keys_[at - 1]; --at) {
      keys_[at] = keys_[at - 1];
      values_[at] = values_[at - 1];
    }
    keys_[at] = key;
    values_[at] = value;
  }
}

std::span<const uint32_t> HashPostings::Find(uint64_t key) const {
  const uint64_t bucket = key >> shift_;
  size_t begin = starts_[bucket];
  size_t end = starts_[bucket + 1];
  if (end - begin > kSearched) {
    const auto range = std::equal_range(keys_.begin() + static_cast<std::ptrdiff_t>(begin),
                                        keys_.begin() + static_cast<std::ptrdiff_t>(end), key);
    begin = static_cast<size_t>(range.first - keys_.begin());
    end = static_cast<size_t>(range.second - keys_.begin());
  } else {
    while (begin < end && keys_[begin] < key) ++begin;
    size_t stop = begin;
    while (stop < end && keys_[stop] == key) ++stop;
    end = stop;
  }
  return std::span(values_).subspan(begin, end - begin);
}

}  // namespace zhiwen
