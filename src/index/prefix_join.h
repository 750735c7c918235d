#ifndef ZHIWEN_INDEX_PREFIX_JOIN_H_
#define ZHIWEN_INDEX_PREFIX_JOIN_H_

// Exact candidates for resemblance ≥ t. Order all shingles from rare to frequent; two sets with
// resemblance ≥ t share one of the first |A| − ⌈t·|A|⌉ + 1 of A and one of the first |B| − ⌈t·|B|⌉
// + 1 of B, and their sizes differ by at most the factor t. S. Chaudhuri, V. Ganti, R. Kaushik, "A
// Primitive Operator for Similarity Joins", 2006; C. Xiao et al., "PPJoin", 2008.
//
// In          sets (ascending, distinct shingle hashes), inserted in the order of ranks
// Out         earlier sets that may match, each once, ascending: a superset of all that do
// Guarantees  no pair at the threshold is missed (property test against BruteForceJoin)
// Cost        postings of prefix shingles; the position filter drops pairs that cannot reach the
// overlap Threads     one at a time Fails       Create: threshold outside (0, 1] → kInvalidArgument

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "zhiwen/result.h"

namespace zhiwen {

using ShingleSet = std::vector<uint64_t>;

// Sorts rare shingles first: how often each shingle occurs over all sets, ties by value.
class ShingleFrequency {
 public:
  void Add(std::span<const uint64_t> set);
  // Writes `set` ordered from rare to frequent.
  void Order(std::span<const uint64_t> set, std::vector<uint64_t>& ordered) const;

 private:
  std::unordered_map<uint64_t, uint32_t> counts_;
};

class PrefixJoin {
 public:
  static Result<PrefixJoin> Create(double threshold, const ShingleFrequency& frequency);

  // Appends to `candidates` the inserted ids that may have resemblance ≥ threshold with `set`,
  // ascending, each once.
  void Query(std::span<const uint64_t> set, std::vector<uint32_t>& candidates);

  // Inserts `set` under `id`; ids ascend.
  void Insert(uint32_t id, std::span<const uint64_t> set);

 private:
  struct Posting {
    uint32_t id;
    uint32_t position;  // in the set's order
    uint32_t size;
  };
  PrefixJoin(double threshold, const ShingleFrequency* frequency)
      : threshold_(threshold), frequency_(frequency) {}

  double threshold_;
  const ShingleFrequency* frequency_;
  std::unordered_map<uint64_t, std::vector<Posting>> postings_;
  std::vector<uint64_t> ordered_;
};

// The oracle: every pair (i < j) with resemblance ≥ threshold, by comparing all.
std::vector<std::pair<uint32_t, uint32_t>> BruteForceJoin(std::span<const ShingleSet> sets,
                                                          double threshold);

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_PREFIX_JOIN_H_
