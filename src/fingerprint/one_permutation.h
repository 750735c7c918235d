#ifndef ZHIWEN_FINGERPRINT_ONE_PERMUTATION_H_
#define ZHIWEN_FINGERPRINT_ONE_PERMUTATION_H_

// One-permutation MinHash: each shingle falls into one of `bins` bins and only competes there, one
// operation a shingle instead of `permutations`. Bins that stay empty are filled by further rounds
// with fresh hashes, so that small sets keep the same guarantee. P. Li, A. Owen, C.-H. Zhang, "One
// Permutation Hashing", 2012; rounds as in S. Dahlgaard, M. Knudsen, M. Thorup, "Fast Similarity
// Sketching", 2017, §2.
//
// In          64-bit shingle hashes, any order, repeats allowed
// Out         `bins` 32-bit minima
// Guarantees  the share of equal minima is an unbiased estimate of resemblance
// (one_permutation_test.cc); same bits on every instruction set Cost        one operation a shingle
// for sets well above `bins`, about bins·ln(bins) operations below Threads     const after Create:
// share freely Fails       Create: bins is 0 or above 65536 → kInvalidArgument

#include <cstddef>
#include <cstdint>
#include <span>

#include "zhiwen/result.h"

namespace zhiwen {

class OnePermutationMinHash {
 public:
  static Result<OnePermutationMinHash> Create(uint32_t bins);

  size_t bins() const { return bins_; }

  // Computes the sketch of `shingles` into `out` (out.size() == bins()). An empty set gives all
  // ones, which matches nothing.
  void Compute(std::span<const uint64_t> shingles, std::span<uint32_t> out) const;

 private:
  explicit OnePermutationMinHash(uint32_t bins) : bins_(bins) {}
  uint32_t bins_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_FINGERPRINT_ONE_PERMUTATION_H_
