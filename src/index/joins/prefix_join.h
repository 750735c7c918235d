#ifndef ZHIWEN_INDEX_JOINS_PREFIX_JOIN_H_
#define ZHIWEN_INDEX_JOINS_PREFIX_JOIN_H_

// Finds exact candidates for resemblance ≥ t. All shingles are ordered from rare to frequent. Two
// sets A and B with resemblance ≥ t share one of the first |A| − ⌈t·|A|⌉ + 1 shingles of A and one
// of the first |B| − ⌈t·|B|⌉ + 1 of B, and their sizes differ by at most the factor t. S.
// Chaudhuri, V. Ganti, R. Kaushik, "A Primitive Operator for Similarity Joins", 2006; C. Xiao et
// al., "PPJoin", 2008.
//
// The theorem holds for any order of shingles, so frequencies are counted in a table of hashed
// counters: collisions cost selectivity, never a pair. A shingle whose counter is 1 occurs in only
// one set and needs no posting.
//
// In          all sets at once (ascending, distinct shingle hashes); then insertions, ids ascending
// Out         inserted sets that may match, each once, ascending: a superset of all that do
// Guarantees  no pair at the threshold is missed (property test against BruteForceJoin); the same
//             candidates for any number of threads
// Cost        Create: one pass to count, one sort of each set's shared prefix. Memory: 8 bytes a
//             counter (as many as shingles or up to twice that, at most 2²⁶), 20 bytes a shared
//             prefix shingle, and 16 bytes a shingle of a small set while prefixes are chosen.
//             Queries: postings of prefix shingles; the position filter drops pairs that cannot
//             reach the overlap
// Threads     Create: a pure function, which works with all workers of the executor. Queries may
//             run at once, each with its own Scratch; Insert alone
// Fails       Create: threshold outside (0, 1] → kInvalidArgument; 2³² prefix shingles or more
//             → kExhausted

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "zhiwen/executor.h"
#include "zhiwen/result.h"

namespace zhiwen {

using ShingleSet = std::vector<uint64_t>;

class PrefixJoin {
 public:
  // The working memory of one querying thread: 8 bytes a set.
  class Scratch {
   private:
    friend class PrefixJoin;
    std::vector<uint32_t> overlap_;   // by id: shared prefix shingles so far, or kPruned
    std::vector<uint32_t> required_;  // by id: overlap that reaches the threshold
    std::vector<uint32_t> touched_;
    // Size of the last set met, and the overlap it needs, because sizes often repeat.
    uint32_t last_size_ = 0;
    uint32_t last_required_ = 0;
  };

  // Orders the shingles of `sets`; id i is sets[i]. Nothing is inserted yet. The sets need not
  // outlive the call.
  static Result<PrefixJoin> Create(double threshold,
                                   std::span<const std::span<const uint64_t>> sets,
                                   Executor& executor);

  // Returns the number of sets.
  uint32_t size() const { return static_cast<uint32_t>(sizes_.size()); }

  // Appends to `candidates` the inserted ids ≥ `first`, other than `id`, that may have resemblance
  // ≥ threshold with set `id`, ascending, each once.
  void AppendCandidates(uint32_t id, uint32_t first, Scratch& scratch,
                        std::vector<uint32_t>& candidates) const;

  // Makes set `id` a candidate for others. Ids must ascend.
  void Insert(uint32_t id);

 private:
  struct Posting {
    uint32_t id;
    uint32_t position;  // in the set's order
    uint32_t tag;       // distinguishes the shingles of one bucket
  };
  // The part of a set's prefix that others may share, and its place in the set's order.
  struct Prefix {
    std::span<const uint64_t> shingles;
    uint32_t first_position = 0;
  };
  static constexpr uint32_t kPruned = UINT32_MAX;

  PrefixJoin() = default;
  size_t BucketOf(uint64_t shingle) const;
  void CountShingles(std::span<const std::span<const uint64_t>> sets, Executor& executor);
  void SelectPrefixes(std::span<const std::span<const uint64_t>> sets, Executor& executor);
  uint32_t AppendPrefix(std::span<const uint64_t> set, std::vector<uint64_t>& prefix) const;
  uint32_t AppendLargePrefix(std::span<const uint64_t> set, std::vector<uint64_t>& prefix) const;
  Status LayOutPostings();
  void MeetPosting(const Posting& posting, uint32_t id, uint32_t position, Scratch& scratch) const;

  double threshold_ = 1;
  int shift_ = 0;
  std::vector<uint32_t> sizes_;                // by id
  std::vector<Prefix> prefixes_;               // by id, views into chunks_
  std::vector<std::vector<uint64_t>> chunks_;  // shingles of prefixes, rare first
  std::vector<uint32_t> used_;                 // by bucket: frequency, then postings
  std::vector<uint32_t> starts_;               // by bucket: its place in postings_
  std::vector<Posting> postings_;
};

// Defines the result: returns every pair (i < j) with resemblance ≥ threshold, found by comparing
// all.
std::vector<std::pair<uint32_t, uint32_t>> BruteForceJoin(std::span<const ShingleSet> sets,
                                                          double threshold);

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_JOINS_PREFIX_JOIN_H_
