#ifndef ZHIWEN_INDEX_HAMMING_HAMMING_INDEX_H_
#define ZHIWEN_INDEX_HAMMING_HAMMING_INDEX_H_

// The contract of indexes that return the codes of a set which differ from a query in at most
// `radius` bits. This folder has the implementations, and hamming_conformance_test.cc compares all
// of them with BruteForceHamming.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "zhiwen/result.h"

namespace zhiwen {

struct HammingMatch {
  uint32_t query = 0;  // index of the query in the batch
  uint32_t distance = 0;
  uint64_t code = 0;

  friend bool operator==(const HammingMatch&, const HammingMatch&) = default;
};

struct HammingAnswer {
  // Matches by query, then by distance, then by code; each code once.
  std::vector<HammingMatch> matches;
  // The queries, ascending, for which a bound of the index was reached: their matches are true, but
  // there may be more. The answers to all other queries are complete.
  std::vector<uint32_t> truncated;
};

// Compares all codes with all queries, one block of codes at a time, which stays in the cache
// meanwhile. Matches are in no particular order.
class CodeScan {
 public:
  // `queries` and `answer` must outlive the object.
  CodeScan(std::span<const uint64_t> queries, uint32_t radius, HammingAnswer& answer)
      : queries_(queries), radius_(radius), answer_(answer) {}

  void Add(uint64_t code) {
    block_[size_++] = code;
    if (size_ == kBlock) Finish();
  }
  void Compare(std::span<const uint64_t> codes);
  // Compares the codes that were added last.
  void Finish();

  // Returns the time for comparing one code with `queries` queries, including its decoding.
  static double Nanoseconds(uint64_t queries) {
    constexpr double kOfCode = 4, kOfQuery = 0.5;
    return kOfCode + kOfQuery * static_cast<double>(queries);
  }

 private:
  static constexpr size_t kBlock = 1024;

  const std::span<const uint64_t> queries_;
  const uint32_t radius_;
  HammingAnswer& answer_;
  std::array<uint64_t, kBlock> block_;
  size_t size_ = 0;
};

// Sorts the matches of an answer from index `begin` on.
void SortMatches(HammingAnswer& answer, size_t begin);

class HammingIndex {
 public:
  virtual ~HammingIndex() = default;

  // Return the number of distinct codes, and the memory of the whole index.
  virtual uint64_t size() const = 0;
  virtual uint64_t bytes() const = 0;

  // Appends to `answer` the codes within `radius` (at most 64) of each of `queries` (fewer than
  // 2³²). Threads: any number at once, while nothing is inserted or removed. Fails: kUnreadable,
  // only for an index in a damaged file.
  virtual Status Query(std::span<const uint64_t> queries, uint32_t radius,
                       HammingAnswer& answer) const = 0;
};

// An index that can be changed. Threads: changes must run alone.
class MutableHammingIndex : public HammingIndex {
 public:
  // Inserts codes. Returns how many of them were not there before.
  virtual uint64_t Insert(std::span<const uint64_t> codes) = 0;
  // Removes codes. Returns how many of them were there.
  virtual uint64_t Remove(std::span<const uint64_t> codes) = 0;
};

// The `count` codes nearest to the query and at most `radius` away, or fewer if there are fewer; of
// equally distant codes the smallest. The index is queried with the radii 0, 1, 2, … until there
// are enough. `is_exact` is false when a bound of the index was reached on the way.
struct NearestCodes {
  std::vector<HammingMatch> matches;
  bool is_exact = true;
};
Result<NearestCodes> FindNearest(const HammingIndex& index, uint64_t query, size_t count,
                                 uint32_t radius);

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_HAMMING_HAMMING_INDEX_H_
