#ifndef ZHIWEN_INDEX_LSH_MINHASH_INDEX_H_
#define ZHIWEN_INDEX_LSH_MINHASH_INDEX_H_

// Documents that resemble a query, by bands of their MinHash signatures: those with which it shares
// a band of rows (band_plan.h), and enough of the bits that are kept of all values, are candidates.
// P. Indyk, R. Motwani, "Approximate Nearest Neighbors", 1998; J. Leskovec, A. Rajaraman,
// J. Ullman, "Mining of Massive Datasets", §3.4.
//
// In          signatures of one MinHash, of `signature_size` values; documents' numbers
// Guarantees  what QueryVerified lists is true. Of the documents at resemblance s it finds a share
//             of ExpectedRecall(s) at least, and of those at the threshold `recall`, for all
//             queries but those in `truncated` (lsh_conformance_test.cc)
// Cost        120 bytes a document at defaults, for 8 bands of 4 rows and 128 values of 2 bits; at
//             most 125 from a million documents on, 155 from a hundred thousand on. An insertion
//             reads 9 lines; a query 8, for which 16 queries wait together, and a line for each
//             document of its buckets: 0.7 µs at a million (lsh_benchmark.cc)
// Threads     const functions from many threads; others alone
// Fails       Create: an option outside its range, or no bands for these → kInvalidArgument
// Not for     short texts in long ones: containment_ensemble.h

#include <cstddef>
#include <cstdint>
#include <span>

#include "index/band_plan.h"
#include "index/lsh/banded_documents.h"
#include "index/lsh/minhash_plan.h"
#include "index/lsh/resemblance_index.h"
#include "zhiwen/result.h"

namespace zhiwen {

class MinHashIndex final : public ResemblanceIndex {
 public:
  static Result<MinHashIndex> Create(const MinHashIndexOptions& options);

  const BandPlan& plan() const { return plan_.bands(); }

  double threshold() const override { return plan_.options().threshold; }
  size_t signature_size() const override { return plan_.options().signature_size; }
  uint64_t size() const override { return documents_.size(); }
  uint64_t bytes() const override { return documents_.bytes(); }
  double ExpectedRecall(double resemblance, uint32_t cut_bands) const override {
    return plan_.ExpectedRecall(resemblance, cut_bands);
  }
  using ResemblanceIndex::ExpectedRecall;

  uint64_t Insert(std::span<const uint64_t> documents, const SignatureRows& rows) override;
  uint64_t Remove(std::span<const uint64_t> documents, const SignatureRows& rows) override;
  SimilarityAnswer QueryEstimates(const SignatureRows& queries) const override;
  SimilarityAnswer QueryVerified(const SignatureRows& queries,
                                 const SimilarityOf& similarity_of) const override;

 private:
  explicit MinHashIndex(const MinHashPlan& plan)
      : plan_(plan), documents_({plan.bands()}, plan.bbit(), plan.options().bucket_limit) {}
  BandedAnswer Candidates(const SignatureRows& queries, uint32_t least_equal) const;

  MinHashPlan plan_;
  BandedDocuments documents_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_LSH_MINHASH_INDEX_H_
