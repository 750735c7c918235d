#ifndef ZHIWEN_INDEX_EXACT_EXACT_INDEX_H_
#define ZHIWEN_INDEX_EXACT_EXACT_INDEX_H_

// The contract of indexes that return the rows of a key. This folder has the implementations, and
// exact_conformance_test.cc compares them with BruteForceExact. Filters (zhiwen/filter.h) answer a
// part of the question: their "no" is exact, and keys that they do not deny are looked up here.

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace zhiwen {

struct KeyRow {
  uint64_t key = 0;
  uint32_t row = 0;

  friend auto operator<=>(const KeyRow&, const KeyRow&) = default;
};

struct ExactMatch {
  uint32_t query = 0;  // index of the query in the batch
  uint32_t row = 0;

  friend auto operator<=>(const ExactMatch&, const ExactMatch&) = default;
};

struct ExactAnswer {
  // Matches by query, then by row.
  std::vector<ExactMatch> matches;
  // The queries, ascending, for which a bound was reached: their matches are true, but there may be
  // more. The answers to all other queries are complete.
  std::vector<uint32_t> truncated;
};

struct ExactQueryOptions {
  // The most rows listed for a key. If there are more, it is unspecified which ones are listed.
  size_t most_rows = SIZE_MAX;
};

class ExactIndex {
 public:
  virtual ~ExactIndex() = default;

  // Return the number of entries, and the memory of the whole index.
  virtual uint64_t size() const = 0;
  virtual uint64_t bytes() const = 0;

  // Appends to `answer` the rows of each of `keys`, fewer than 2³². Threads: any number at once,
  // while nothing is inserted or removed.
  virtual void Query(std::span<const uint64_t> keys, const ExactQueryOptions& options,
                     ExactAnswer& answer) const = 0;

  // Adds entries, which must be distinct and not in the index. Changes must run alone.
  virtual void Insert(std::span<const KeyRow> entries) = 0;
  // Removes entries. Returns how many of them were in the index.
  virtual uint64_t Remove(std::span<const KeyRow> entries) = 0;
};

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_EXACT_EXACT_INDEX_H_
