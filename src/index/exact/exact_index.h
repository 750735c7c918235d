#ifndef ZHIWEN_INDEX_EXACT_EXACT_INDEX_H_
#define ZHIWEN_INDEX_EXACT_EXACT_INDEX_H_

// Which rows have a key: one contract, and the implementations of this folder.
// exact_conformance_test.cc holds them against BruteForceExact. Filters (zhiwen/filter.h) answer
// less of the question: their "no" is exact, what they do not deny is to be asked here.

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
  uint32_t query = 0;  // its place in the batch
  uint32_t row = 0;

  friend auto operator<=>(const ExactMatch&, const ExactMatch&) = default;
};

struct ExactAnswer {
  // By query, then by row.
  std::vector<ExactMatch> matches;
  // The queries, ascending, for which a bound was hit: what is listed of them is true, and there
  // may be more. Of all others the answer is exact.
  std::vector<uint32_t> truncated;
};

struct ExactQueryOptions {
  // That are listed of a key; where there are more, it is open which ones.
  size_t most_rows = SIZE_MAX;
};

class ExactIndex {
 public:
  virtual ~ExactIndex() = default;

  // Entries, and all memory of the index.
  virtual uint64_t size() const = 0;
  virtual uint64_t bytes() const = 0;

  // Appends to `answer` the rows of each of `keys`, fewer than 2³². Threads: any number at once,
  // while nothing is inserted or removed.
  virtual void Query(std::span<const uint64_t> keys, const ExactQueryOptions& options,
                     ExactAnswer& answer) const = 0;

  // Adds entries, which the caller knows to be distinct and not to be there. Whoever changes is
  // alone.
  virtual void Insert(std::span<const KeyRow> entries) = 0;
  // Returns how many of `entries` were there.
  virtual uint64_t Remove(std::span<const KeyRow> entries) = 0;
};

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_EXACT_EXACT_INDEX_H_
