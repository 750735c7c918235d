#ifndef ZHIWEN_INDEX_LSH_CONTAINMENT_ENSEMBLE_H_
#define ZHIWEN_INDEX_LSH_CONTAINMENT_ENSEMBLE_H_

// Long documents that contain a query, by MinHash. Documents are partitioned by the sizes of their
// sets: one of x shingles that shares c of the q of a query has the resemblance c / (q + x − c), so
// that in a partition of sizes up to u a containment of t is a resemblance of t / (u/q + 1 − t) at
// least. That threshold decides for a partition and a query how many rows a band has, of the
// numbers at which signatures were banded, and how many bits must be equal. E. Zhu, F. Nargesian,
// K. Pu, R. Miller, "LSH Ensemble: Internet-Scale Domain Search", 2016. They choose rows by
// prefix trees; here each number of rows has its own keys.
//
// In          signatures of one MinHash, of `signature_size` values; sizes; documents' numbers
// Guarantees  what is listed is true. Of the documents of x shingles that share c with a query of q
//             a share of ExpectedRecall({q, x, c}) at least is found, for all queries but those in
//             `truncated`. With defaults that is 0.95 and more while x ≤ 32 q; beyond, signatures
//             have too few values, and it falls: 0.8 at x = 64 q
// Cost        about 2.2 kilobytes a document at defaults, for 224 bands. A query reads 32 to 128
//             lines of each partition that can contain it
// Threads     const functions from many threads; others alone
// Fails       Create: an option outside its range → kInvalidArgument
// Not for     equal lengths: minhash_index.h takes an eighteenth of the memory

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "index/band_plan.h"
#include "index/lsh/banded_documents.h"
#include "index/lsh/containment_index.h"
#include "zhiwen/result.h"

namespace zhiwen {

// The sizes up to which the partitions reach that have equally many of `sizes`, a sample of what
// will be inserted: the cut that the paper proposes, for sizes that are known before.
std::vector<uint32_t> EquiDepthBounds(std::vector<uint32_t> sizes, size_t partitions);

struct ContainmentEnsembleOptions {
  double threshold = 0.8;
  double recall = 0.95;                    // what the number of rows is chosen for
  uint32_t signature_size = 128;           // values
  std::vector<uint32_t> rows = {1, 2, 4};  // of bands: ascending, each at most signature_size
  // The sizes up to which partitions reach, ascending; what is larger is in one more. Empty: the
  // powers of two, with which no size makes a converted threshold fall to less than half.
  std::vector<uint32_t> bounds = {};
  BbitSignatures::Options estimates = {};
  double filter_miss = 1e-4;   // as MinHashIndexOptions have it
  size_t bucket_limit = 1000;  // documents of a bucket that are looked at
};

class ContainmentEnsemble final : public ContainmentIndex {
 public:
  static Result<ContainmentEnsemble> Create(const ContainmentEnsembleOptions& options);

  double threshold() const override { return options_.threshold; }
  size_t signature_size() const override { return options_.signature_size; }
  uint64_t size() const override;
  uint64_t bytes() const override;
  double ExpectedRecall(const Pair& pair) const override;

  uint64_t Insert(std::span<const uint64_t> documents, const SizedSignatures& sets) override;
  uint64_t Remove(std::span<const uint64_t> documents, const SizedSignatures& sets) override;
  SimilarityAnswer QueryVerified(const SizedSignatures& queries,
                                 const SimilarityOf& similarity_of) const override;

 private:
  struct Partition {
    uint32_t largest = 0;  // set that was ever inserted
    BandedDocuments documents;
  };

  ContainmentEnsemble(const ContainmentEnsembleOptions& options, const BbitSignatures& bbit);
  size_t PartitionOf(uint32_t size) const;
  bool CanContain(uint32_t query_size, const Partition& partition) const;
  BandedQuery Choose(uint32_t query_size, const Partition& partition) const;

  ContainmentEnsembleOptions options_;
  BbitSignatures bbit_;
  std::vector<BandPlan> depths_;
  std::vector<uint32_t> least_equal_;  // at resemblances of 0, 1/kSteps, …
  std::vector<Partition> partitions_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_LSH_CONTAINMENT_ENSEMBLE_H_
