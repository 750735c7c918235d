#ifndef ZHIWEN_CLUSTER_BAND_CANDIDATES_H_
#define ZHIWEN_CLUSTER_BAND_CANDIDATES_H_

// Candidates from bands: the kept documents of a document's buckets. A document here is a place in
// SharedBuckets::documents. Hot buckets (HotBucketOptions) are not enumerated: their part comes
// from an exact join over all documents of buckets that can become hot. It is made when a bucket
// keeps more than the bound, or earlier, once the pairs that enumeration found for these documents
// have cost about as much as the join would. From then on it serves every bucket that is not small.

#include <cstddef>
#include <optional>
#include <vector>

#include "cluster/kept_candidates.h"
#include "cluster/parallel_greedy.h"

namespace zhiwen {

class BandCandidates : public KeptCandidates {
 public:
  // `buckets`, `hot` and `executor` outlive it.
  BandCandidates(const SharedBuckets& buckets, const HotBucketOptions& hot, Executor& executor);

  void AppendCandidates(size_t worker, uint32_t document, uint32_t first,
                        std::vector<uint32_t>& candidates) override;
  void Insert(uint32_t document) override;
  void Adapt() override;
  void PrepareBlock(std::span<const uint32_t> undecided) override;
  void AppendLikely(size_t worker, uint32_t document, std::vector<uint32_t>& candidates) override;

  uint64_t hot_buckets() const;

 private:
  struct alignas(64) Worker {
    std::vector<uint32_t> seen_by;  // by document: the mark of the last query that met it
    uint32_t mark = 0;              // of the current query
    PrefixJoin::Scratch scratch;
    std::vector<uint32_t> joined;
    uint64_t joinable_pairs = 0;  // found by enumeration, of documents that the join would hold
  };

  bool IsHot(uint32_t bucket) const { return join_.has_value() && kept_[bucket] > small_bucket_; }
  void FindJoinable();
  bool ShareHotBucket(uint32_t a, uint32_t b) const;
  void AppendFromJoin(Worker& worker, uint32_t document, uint32_t first,
                      std::vector<uint32_t>& candidates);
  void MakeJoin();

  const SharedBuckets& buckets_;
  const HotBucketOptions& hot_;
  Executor& executor_;
  std::vector<Worker> workers_;
  std::vector<size_t> first_member_;      // by bucket: its place in members_
  std::vector<uint32_t> members_;         // kept documents by bucket, ascending
  std::vector<uint32_t> kept_;            // by bucket: how many members are there
  std::vector<uint32_t> first_in_block_;  // by bucket: its first undecided document
  uint32_t block_begin_ = 0;

  const uint64_t small_bucket_;  // with at most so many kept, a bucket is always enumerated
  std::vector<bool> joinable_;   // by document: whether it lies in a bucket that can become hot
  uint64_t pairs_worth_a_join_ = 0;
  bool may_join_;  // no join was made so far, and one can be
  std::optional<PrefixJoin> join_;
  std::vector<uint32_t> join_documents_;  // ascending; by id of the join
  std::vector<uint32_t> inserted_;        // all kept so far, while the join may still be made
};

}  // namespace zhiwen

#endif  // ZHIWEN_CLUSTER_BAND_CANDIDATES_H_
