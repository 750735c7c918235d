#ifndef ZHIWEN_INDEX_BANDS_SHARED_BUCKETS_H_
#define ZHIWEN_INDEX_BANDS_SHARED_BUCKETS_H_

// Finds the documents that agree with another one in some band, and the buckets of two or more
// documents. Most documents of a corpus agree with none, so later stages do not see them.
//
// In          band keys by column: columns[band][document]; kNoBandKey agrees with nothing
// Out         the documents that share a key, and for each the buckets it lies in
// Guarantees  the same result for any number of threads
// Cost        two passes over a bit table that rules out nearly all lone keys, about 3 ns a key
//             while it fits the cache, then a probe for each key that is left. Memory: 8 to 16
//             bytes a document and band in work, 8 bytes a shared key
// Threads     pure functions; FindSharedBuckets works on bands with all workers of the executor

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "zhiwen/executor.h"

namespace zhiwen {

struct SharedBuckets {
  std::vector<uint32_t> documents;   // documents in some bucket, ascending
  std::vector<size_t> starts = {0};  // by index in `documents`, with one entry more
  std::vector<uint32_t> buckets;  // buckets of documents[i] in starts[i] … starts[i + 1], ascending
  std::vector<uint32_t> bucket_sizes;  // by bucket, each at least 2

  std::span<const uint32_t> BucketsOf(size_t place) const {
    return std::span(buckets).subspan(starts[place], starts[place + 1] - starts[place]);
  }

  friend bool operator==(const SharedBuckets&, const SharedBuckets&) = default;
};

// A document in a bucket, which any number may identify.
struct PlacedMember {
  uint32_t document;
  uint64_t bucket;
};

// Returns the buckets of `members`, which come in any order, each once, with documents below
// `documents`. Buckets with one member are left out; the others are numbered by their first
// document.
SharedBuckets SharedBucketsOf(std::span<const PlacedMember> members, uint32_t documents);

// Returns the buckets of all bands. Every column has the same length, below 2³².
SharedBuckets FindSharedBuckets(std::span<const std::span<const uint64_t>> columns,
                                Executor& executor);

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_BANDS_SHARED_BUCKETS_H_
