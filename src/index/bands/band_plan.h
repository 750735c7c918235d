#ifndef ZHIWEN_INDEX_BANDS_BAND_PLAN_H_
#define ZHIWEN_INDEX_BANDS_BAND_PLAN_H_

// Plans how many bands of how many rows a threshold needs, and computes the keys of bands. Two
// signatures whose sets have resemblance s agree in a band of r rows with probability sʳ, and are
// candidates with probability 1 − (1 − sʳ)ᵇ.
// J. Leskovec, A. Rajaraman, J. Ullman, "Mining of Massive Datasets", §3.4.

#include <cstdint>
#include <span>

#include "zhiwen/result.h"

namespace zhiwen {

struct BandPlan {
  uint32_t bands = 0;  // PlanBands makes both at least 1
  uint32_t rows = 0;

  uint32_t signature_size() const { return bands * rows; }

  friend bool operator==(const BandPlan&, const BandPlan&) = default;
};

// The key of a band without a minimum: it agrees with nothing, not even with itself.
inline constexpr uint64_t kNoBandKey = 0;

// Returns 1 − (1 − sʳ)ᵇ, without loss of digits near 0 and 1; 0 below s = 0, 1 above s = 1.
double CandidateProbability(const BandPlan& plan, double resemblance);

// Returns (1 − sʳ)ᵇ with full relative precision: the share of pairs at `resemblance` that is
// missed.
double MissProbability(const BandPlan& plan, double resemblance);

// Returns the plan with the most rows whose pair at `threshold` is a candidate with probability ≥
// `recall` and whose signature has at most `limit` values; of these the one with the fewest bands.
// Fails: kInvalidArgument when none exists, or threshold is outside (0, 1] or recall outside
// (0, 1).
Result<BandPlan> PlanBands(double threshold, double recall, uint32_t limit);

// Computes the 64-bit key of each band: out[b] hashes signature[b·rows … b·rows + rows) and b. A
// band of all-ones values (the signature of a text without shingles has no other) gets kNoBandKey.
// MinHash indexes store the lower halves of keys: docs/formats/minhash_index.md.
void ComputeBandKeys(const BandPlan& plan, std::span<const uint32_t> signature,
                     std::span<uint64_t> out);

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_BANDS_BAND_PLAN_H_
