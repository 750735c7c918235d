#ifndef ZHIWEN_FINGERPRINT_ONE_PERMUTATION_H_
#define ZHIWEN_FINGERPRINT_ONE_PERMUTATION_H_

// One-permutation MinHash: each shingle falls into one of `bins` bins and competes only there,
// which takes one operation a shingle instead of one a permutation. A bin that stays empty gets its
// own permutation over all shingles, as in MinHash, so that small sets keep the same guarantee. P.
// Li, A. Owen, C.-H. Zhang, "One Permutation Hashing", 2012, §2; the filling is the second phase of
// S. Dahlgaard, M. Knudsen, M. Thorup, "Fast Similarity Sketching", 2017, §2.
//
// In          64-bit shingle hashes, any order, repeats allowed
// Out         `bins` 32-bit minima
// Guarantees  the share of equal minima is an unbiased estimate of resemblance, its error within
//             c·√(J(1−J)/bins); bands of rows find pairs with probability 1 − (1 − sʳ)ᵇ whatever
//             the sizes (index/bands/band_recall_test.cc); same bits on every instruction set
// Cost        one operation a shingle, and shingles × empty bins / SIMD lanes; bins stay empty
//             below about bins · ln(bins) shingles. No allocation after Create
// Threads     const after Create: share freely
// Fails       Create: bins is 0 or above 65536 → kInvalidArgument
// Persisted   minhash.v1(method=one_permutation,…): docs/formats/minhash.md
// Not for     a short text inside a long one: use containment (match/similarity.h)

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "fingerprint/permutations.h"
#include "zhiwen/result.h"

namespace zhiwen {

class OnePermutationMinHash {
 public:
  // `seed` chooses the permutations that fill empty bins.
  static Result<OnePermutationMinHash> Create(uint32_t bins, uint64_t seed = 0);

  size_t bins() const { return permutations_.keys.size(); }

  // Computes the sketch of `shingles` into `out` (out.size() == bins()). An empty set gives all
  // ones, which matches nothing; no value of another set is all ones.
  void Compute(std::span<const uint64_t> shingles, std::span<uint32_t> out) const;

  // Computes the sketch of shingles that come in parts: call Begin, then Add for every part. If the
  // Fill that BeginFill returns has bins, call AddTo for every part once more, then Finish.
  struct Fill {
    std::vector<uint32_t> bins;  // the empty bins
    std::vector<uint32_t> multipliers, keys, minima;
  };
  static void Begin(std::span<uint32_t> out);
  void Add(std::span<const uint64_t> shingles, std::span<uint32_t> out) const;
  Fill BeginFill(std::span<const uint32_t> out) const;
  static void AddTo(Fill& fill, std::span<const uint64_t> shingles);
  static void Finish(const Fill& fill, std::span<uint32_t> out);

 private:
  explicit OnePermutationMinHash(Permutations permutations)
      : permutations_(std::move(permutations)) {}

  void FillEmptyBins(std::span<const uint64_t> shingles, std::span<uint32_t> out) const;
  void FillBins(std::span<const uint64_t> shingles, std::span<const uint32_t> empty,
                std::span<uint32_t> out) const;

  Permutations permutations_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_FINGERPRINT_ONE_PERMUTATION_H_
