#ifndef ZHIWEN_CLUSTER_BAND_CANDIDATES_H_
#define ZHIWEN_CLUSTER_BAND_CANDIDATES_H_

// Candidates from bands: the kept documents of a document's buckets. A document here is a place in
// SharedBuckets::documents. Buckets that become hot (HotBucketOptions) are not enumerated: their
// part comes from an exact join over all documents of buckets that can become hot, which is made
// when the first does.

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
  void PrepareBlock(std::span<const uint32_t> undecided) override;
  void AppendLikely(size_t worker, uint32_t document, std::vector<uint32_t>& candidates) override;

  uint64_t hot_buckets() const;

 private:
  struct Worker {
    std::vector<uint32_t> seen_by;  // by document: the mark of the last query that met it
    uint32_t mark = 0;              // of the current query
    PrefixJoin::Scratch scratch;
    std::vector<uint32_t> joined;
  };

  bool IsHot(uint32_t bucket) const {
    return join_.has_value() && kept_[bucket] > hot_.max_bucket_kept;
  }
  bool CanBecomeHot(uint32_t document) const;
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

  bool join_failed_ = false;
  std::optional<PrefixJoin> join_;
  std::vector<uint32_t> join_documents_;  // ascending; by id of the join
  std::vector<uint32_t> inserted_;        // all kept so far, while the join may still be made
};

}  // namespace zhiwen

#endif  // ZHIWEN_CLUSTER_BAND_CANDIDATES_H_
