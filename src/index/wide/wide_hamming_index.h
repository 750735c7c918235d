#ifndef ZHIWEN_INDEX_WIDE_WIDE_HAMMING_INDEX_H_
#define ZHIWEN_INDEX_WIDE_WIDE_HAMMING_INDEX_H_

// Which codes of 128 bits, as those of simhash128, differ from a query in at most `radius` bits:
// the contract of index/hamming/hamming_index.h for wider codes. wide_conformance_test.cc holds
// implementations against BruteForceWide.

#include <array>
#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "zhiwen/result.h"

namespace zhiwen {

struct Code128 {
  uint64_t high = 0, low = 0;

  friend auto operator<=>(const Code128&, const Code128&) = default;
};

inline uint32_t HammingDistance(const Code128& a, const Code128& b) {
  return static_cast<uint32_t>(std::popcount(a.high ^ b.high) + std::popcount(a.low ^ b.low));
}

struct WideMatch {
  uint32_t query = 0;  // its place in the batch
  uint32_t distance = 0;
  Code128 code;

  friend bool operator==(const WideMatch&, const WideMatch&) = default;
};

struct WideAnswer {
  // By query, then by distance, then by code; each code once.
  std::vector<WideMatch> matches;
  // The queries, ascending, for which a bound of the index was hit: what is listed of them is true,
  // and there may be more. Of all others the answer is exact.
  std::vector<uint32_t> truncated;
};

// For who goes through all codes: compares them with all queries, a block of codes at a time, by
// their lower halves first, which leave few. Matches come in no order.
class WideCodeScan {
 public:
  // `queries` and `answer` must outlive the object.
  WideCodeScan(std::span<const Code128> queries, uint32_t radius, WideAnswer& answer)
      : queries_(queries), radius_(radius), answer_(answer) {}

  void Add(const Code128& code) {
    low_[size_] = code.low;
    high_[size_++] = code.high;
    if (size_ == kBlock) Finish();
  }
  // Compares those that were added last.
  void Finish();

  // Of one code with each of so many queries, reading it included.
  static double Nanoseconds(uint64_t queries) {
    constexpr double kOfCode = 3, kOfQuery = 0.5;
    return kOfCode + kOfQuery * static_cast<double>(queries);
  }

 private:
  static constexpr size_t kBlock = 1024;

  const std::span<const Code128> queries_;
  const uint32_t radius_;
  WideAnswer& answer_;
  std::array<uint64_t, kBlock> low_, high_;
  size_t size_ = 0;
};

// Puts the matches of an answer from place `begin` on in their order.
void SortMatches(WideAnswer& answer, size_t begin);

class WideHammingIndex {
 public:
  virtual ~WideHammingIndex() = default;

  // Distinct codes, and all memory of the index.
  virtual uint64_t size() const = 0;
  virtual uint64_t bytes() const = 0;

  // Appends to `answer` what is within `radius`, at most 128, of each of `queries`, fewer than 2³².
  // Threads: any number at once, while nothing is inserted or removed.
  virtual void Query(std::span<const Code128> queries, uint32_t radius,
                     WideAnswer& answer) const = 0;

  // Returns how many of `codes` were not there before. Whoever changes is alone.
  virtual uint64_t Insert(std::span<const Code128> codes) = 0;
  // Returns how many of `codes` were there.
  virtual uint64_t Remove(std::span<const Code128> codes) = 0;
};

// The `count` codes nearest to the query and at most `radius` away, fewer where there are not as
// many; of equally distant ones the least codes. Asks for the radii 0, 1, 2, … until it has them.
// `is_exact` is false where a bound of the index was hit by the last of these.
struct NearestWideCodes {
  std::vector<WideMatch> matches;
  bool is_exact = true;
};
NearestWideCodes FindNearest(const WideHammingIndex& index, const Code128& query, size_t count,
                             uint32_t radius);

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_WIDE_WIDE_HAMMING_INDEX_H_
