#ifndef ZHIWEN_INDEX_MINHASH_BBIT_SIGNATURES_H_
#define ZHIWEN_INDEX_MINHASH_BBIT_SIGNATURES_H_

// Keeps a few bits of each of the first values of a signature: enough to estimate resemblance. P.
// Li, A. C. König, "b-Bit Minwise Hashing", 2010. Two values that differ have equal bits with
// probability 2⁻ᵇ (C₁ and C₂ of the paper, for sets that are few of all 2⁶⁴ shingles), so a share p
// of equal values means a resemblance of (p − 2⁻ᵇ) / (1 − 2⁻ᵇ).
//
// The bits are those of a hash of the value. The lowest bits of the value itself would do for large
// sets only: an odd factor does not mix them, and sets of a few shingles would agree in all 128 or
// in none.
//
// In          signatures of MinHash
// Guarantees  the estimate is unbiased, except that it is never below 0; its standard error at J
//             is √(p(1 − p)/values) / (1 − 2⁻ᵇ), p = J + (1 − J)·2⁻ᵇ: 0.042 at 0.8 with 128 values
//             of 2 bits (bbit_signatures_test.cc)
// Cost        values · bits / 8 bytes; two words of 64 bits are compared for 64 values of 2 bits
// Threads     const after Create: share freely
// Fails       Create: bits is none of 1, 2, 4 and 8, or values no power of two from 64 to 4096 →
//             kInvalidArgument
// Persisted   docs/formats/minhash_index.md has the bits

#include <cstddef>
#include <cstdint>
#include <span>

#include "zhiwen/result.h"

namespace zhiwen {

class BbitSignatures {
 public:
  struct Options {
    uint32_t values = 128;
    uint32_t bits = 2;
  };
  static Result<BbitSignatures> Create(const Options& options);

  uint32_t values() const { return options_.values; }
  // Returns the number of 64-bit words of a signature, a power of two.
  size_t words() const { return size_t{options_.values} * options_.bits / 64; }

  // Computes the bits of a signature of at least values() values into `out`, which has words()
  // words.
  void Encode(std::span<const uint32_t> signature, std::span<uint64_t> out) const;

  // Returns how many values have equal bits. `stored` are the bytes that Encode computed.
  uint32_t CountEqual(const uint64_t* bits, const uint8_t* stored) const;

  double Estimate(uint32_t equal) const;

  // Returns the probability that signatures of sets of this resemblance have `equal` or more equal
  // values.
  double ReachProbability(uint32_t equal, double resemblance) const;

  // Returns the greatest number of equal values that such signatures miss with probability `miss`
  // at most.
  uint32_t LeastEqual(double resemblance, double miss) const;

 private:
  explicit BbitSignatures(const Options& options) : options_(options) {}
  double chance() const { return 1.0 / static_cast<double>(1U << options_.bits); }
  template <typename Visit>
  void VisitProbabilities(double resemblance, const Visit& visit) const;

  Options options_;
};

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_MINHASH_BBIT_SIGNATURES_H_
