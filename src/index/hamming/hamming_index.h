#ifndef ZHIWEN_INDEX_HAMMING_HAMMING_INDEX_H_
#define ZHIWEN_INDEX_HAMMING_HAMMING_INDEX_H_

// Which codes of a set differ from a query in at most `radius` bits: one contract, and the
// implementations of this folder. hamming_conformance_test.cc holds all of them against
// BruteForceHamming.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "zhiwen/result.h"

namespace zhiwen {

struct HammingMatch {
  uint32_t query = 0;  // its place in the batch
  uint32_t distance = 0;
  uint64_t code = 0;

  friend bool operator==(const HammingMatch&, const HammingMatch&) = default;
};

struct HammingAnswer {
  // By query, then by distance, then by code; each code once.
  std::vector<HammingMatch> matches;
  // The queries, ascending, for which a bound of the index was hit: what is listed of them is true,
  // and there may be more. Of all others the answer is exact.
  std::vector<uint32_t> truncated;
};

// For who goes through all codes: compares them with all queries, a block of codes at a time, which
// stays in the cache meanwhile. Matches come in no order.
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
  // Compares those that were added last.
  void Finish();

  // Of one code with each of so many queries, decoding it included.
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

// Puts the matches of an answer from place `begin` on in their order.
void SortMatches(HammingAnswer& answer, size_t begin);

class HammingIndex {
 public:
  virtual ~HammingIndex() = default;

  // Distinct codes, and all memory of the index.
  virtual uint64_t size() const = 0;
  virtual uint64_t bytes() const = 0;

  // Appends to `answer` what is within `radius`, at most 64, of each of `queries`, fewer than 2³².
  // Threads: any number at once, while nothing is inserted or removed. Fails: kUnreadable, only of
  // an index in a file, part of which is damaged.
  virtual Status Query(std::span<const uint64_t> queries, uint32_t radius,
                       HammingAnswer& answer) const = 0;
};

// One that can be changed. Threads: whoever changes is alone.
class MutableHammingIndex : public HammingIndex {
 public:
  // Returns how many of `codes` were not there before.
  virtual uint64_t Insert(std::span<const uint64_t> codes) = 0;
  // Returns how many of `codes` were there.
  virtual uint64_t Remove(std::span<const uint64_t> codes) = 0;
};

// The `count` codes nearest to the query and at most `radius` away, fewer where there are not as
// many; of equally distant ones the least codes. Asks for the radii 0, 1, 2, … until it has them.
// `is_exact` is false where a bound of the index was hit on the way.
struct NearestCodes {
  std::vector<HammingMatch> matches;
  bool is_exact = true;
};
Result<NearestCodes> FindNearest(const HammingIndex& index, uint64_t query, size_t count,
                                 uint32_t radius);

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_HAMMING_HAMMING_INDEX_H_
