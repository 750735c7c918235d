#ifndef ZHIWEN_INDEX_LSH_BRUTE_FORCE_CONTAINMENT_H_
#define ZHIWEN_INDEX_LSH_BRUTE_FORCE_CONTAINMENT_H_

// Every document asked for every query: the definition that other indexes of containment are held
// against, and one for some thousand documents.
//
// Guarantees  exact: only documents too small to reach the threshold are not asked for
// Cost        4 bytes a value of a signature, about a hundred a document
// Threads     const functions from many threads; others alone

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "index/lsh/containment_index.h"

namespace zhiwen {

class BruteForceContainment final : public ContainmentIndex {
 public:
  BruteForceContainment(double threshold, size_t signature_size)
      : threshold_(threshold), signature_size_(signature_size) {}

  double threshold() const override { return threshold_; }
  size_t signature_size() const override { return signature_size_; }
  uint64_t size() const override { return sets_.size(); }
  uint64_t bytes() const override;
  double ExpectedRecall(const Pair& pair) const override { return pair.shared > 0 ? 1 : 0; }

  uint64_t Insert(std::span<const uint64_t> documents, const SizedSignatures& sets) override;
  uint64_t Remove(std::span<const uint64_t> documents, const SizedSignatures& sets) override;
  SimilarityAnswer QueryVerified(const SizedSignatures& queries,
                                 const SimilarityOf& similarity_of) const override;

 private:
  struct Set {
    uint32_t size = 0;
    std::vector<uint32_t> signature;  // with which it can be removed
  };

  double threshold_;
  size_t signature_size_;
  std::map<uint64_t, Set> sets_;  // by document
};

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_LSH_BRUTE_FORCE_CONTAINMENT_H_
