#ifndef ZHIWEN_CLUSTER_BAND_CANDIDATES_H_
#define ZHIWEN_CLUSTER_BAND_CANDIDATES_H_

// Finds candidates by bands: the kept documents that share a bucket with a document. A document
// here is an index into SharedBuckets::documents. Hot buckets (HotBucketOptions) are not
// enumerated; their candidates come from an exact join over all documents of buckets that can
// become hot. The join is made when a bucket keeps more documents than the bound, or earlier, once
// the pairs enumerated for these documents have cost about as much as the join would. From then on
// the join serves every bucket that is not small.

#include <cstddef>
#include <optional>
#include <vector>

#include "cluster/kept_candidates.h"
#include "cluster/parallel_greedy.h"

namespace zhiwen {

class BandCandidates : public KeptCandidates {
 public:
  // `buckets`, `hot` and `executor` must outlive this object.
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
    uint32_t mark = 0;              // the mark of the current query
    PrefixJoin::Scratch scratch;
    std::vector<uint32_t> joined;
    // Pairs found by enumeration whose document would also be in the join.
    uint64_t joinable_pairs = 0;
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
  std::vector<size_t> first_member_;      // by bucket: index of its first member in members_
  std::vector<uint32_t> members_;         // kept documents by bucket, ascending
  std::vector<uint32_t> kept_;            // by bucket: its number of kept members
  std::vector<uint32_t> first_in_block_;  // by bucket: its first undecided document
  uint32_t block_begin_ = 0;

  // A bucket with at most this many kept documents is always enumerated.
  const uint64_t small_bucket_;
  std::vector<bool> joinable_;  // by document: whether it lies in a bucket that can become hot
  uint64_t pairs_worth_a_join_ = 0;
  bool may_join_;  // whether the join can still be made
  std::optional<PrefixJoin> join_;
  // Documents of the join, ascending; the index is the join's id.
  std::vector<uint32_t> join_documents_;
  std::vector<uint32_t> inserted_;  // all documents kept so far, while the join may still be made
};

}  // namespace zhiwen

#endif  // ZHIWEN_CLUSTER_BAND_CANDIDATES_H_
