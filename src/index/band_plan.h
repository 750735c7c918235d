#ifndef ZHIWEN_INDEX_BAND_PLAN_H_
#define ZHIWEN_INDEX_BAND_PLAN_H_

// How many bands of how many rows a threshold needs. Two signatures whose sets have resemblance s
// agree in a band of r rows with probability sʳ, and are candidates with probability 1 − (1 − sʳ)ᵇ.
// J. Leskovec, A. Rajaraman, J. Ullman, "Mining of Massive Datasets", §3.4.

#include <cstdint>
#include <span>

#include "zhiwen/result.h"

namespace zhiwen {

struct BandPlan {
  uint32_t bands = 25;
  uint32_t rows = 5;

  uint32_t signature_size() const { return bands * rows; }
};

// 1 − (1 − sʳ)ᵇ.
double CandidateProbability(const BandPlan& plan, double resemblance);

// Returns the plan with the most rows whose pair at `threshold` is a candidate with probability ≥
// `recall` and whose signature has at most `limit` values. Fails: kInvalidArgument when none exists
// or an argument is out of range.
Result<BandPlan> PlanBands(double threshold, double recall, uint32_t limit);

// Computes the 64-bit key of each band: out[b] hashes signature[b·rows … b·rows + rows) and b.
void ComputeBandKeys(const BandPlan& plan, std::span<const uint32_t> signature,
                     std::span<uint64_t> out);

}  // namespace zhiwen

#endif  // ZHIWEN_INDEX_BAND_PLAN_H_
