#ifndef ZHIWEN_INDEX_LSH_BRUTE_FORCE_RESEMBLANCE_H_
#define ZHIWEN_INDEX_LSH_BRUTE_FORCE_RESEMBLANCE_H_

// Every document compared with every query, by whole signatures: the definition that other indexes
// are held against, and one for some thousand documents.
//
// In          signatures of one MinHash, of one size; documents' numbers
// Guarantees  QueryVerified is exact: it asks for every document that is no empty set. An estimate
//             is the share of equal values, its standard error √(J(1 − J)/values)
// Cost        4 bytes a value, about a hundred a document; a comparison of all values for each
//             document and query
// Threads     const functions from many threads; others alone

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "index/lsh/resemblance_index.h"

namespace zhiwen {

class BruteForceResemblance final : public ResemblanceIndex {
 public:
  BruteForceResemblance(double threshold, size_t signature_size)
      : threshold_(threshold), signature_size_(signature_size) {}

  double threshold() const override { return threshold_; }
  size_t signature_size() const override { return signature_size_; }
  uint64_t size() const override { return signatures_.size(); }
  uint64_t bytes() const override;
  double ExpectedRecall(double resemblance, uint32_t cut_bands) const override;

  uint64_t Insert(std::span<const uint64_t> documents, const SignatureRows& rows) override;
  uint64_t Remove(std::span<const uint64_t> documents, const SignatureRows& rows) override;
  SimilarityAnswer QueryEstimates(const SignatureRows& queries) const override;
  SimilarityAnswer QueryVerified(const SignatureRows& queries,
                                 const SimilarityOf& similarity_of) const override;

 private:
  double threshold_;
  size_t signature_size_;
  std::map<uint64_t, std::vector<uint32_t>> signatures_;  // by document
};

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_LSH_BRUTE_FORCE_RESEMBLANCE_H_
