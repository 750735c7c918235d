#ifndef ZHIWEN_FINGERPRINT_MINHASH_H_
#define ZHIWEN_FINGERPRINT_MINHASH_H_

// MinHash: a set of shingles becomes `permutations` minima; the share of equal minima estimates
// resemblance. A. Broder, "On the resemblance and containment of documents", 1997, §3.
//
// In          64-bit shingle hashes, any order, repeats allowed
// Out         Signature: `permutations` 32-bit minima
// Guarantees  the share of equal minima is an unbiased estimate of resemblance, its error within
//             c·√(J(1−J)/permutations) (minhash_test.cc); same bits on every instruction set
// Cost        shingles × permutations / SIMD lanes; no allocation after Create
// Threads     const after Create: share freely
// Fails       Create: permutations is 0, above 4096 or not a multiple of 16 → kInvalidArgument
// Persisted   minhash.v1(channel=…,feature=…,permutations=…,seed=…): docs/formats/minhash.md
// Not for     a short text inside a long one: use containment (match/similarity.h)

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "fingerprint/permutations.h"
#include "zhiwen/result.h"

namespace zhiwen {

struct MinHashOptions {
  uint32_t permutations = 128;
  uint64_t seed = 0;
};

class MinHash {
 public:
  static Result<MinHash> Create(const MinHashOptions& options);

  size_t permutations() const { return permutations_.keys.size(); }

  // Computes the signature of `shingles` into `out` (out.size() == permutations()). An empty set
  // gives all ones, which matches nothing; no value of another set is all ones.
  void Compute(std::span<const uint64_t> shingles, std::span<uint32_t> out) const;

 private:
  explicit MinHash(Permutations permutations) : permutations_(std::move(permutations)) {}

  Permutations permutations_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_FINGERPRINT_MINHASH_H_
