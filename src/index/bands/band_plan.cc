#include "index/bands/band_plan.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace zhiwen {
namespace {

constexpr uint32_t kEmptyMinimum = UINT32_MAX;

// Returns ln (1 − sʳ), for s in [0, 1].
double LogDisagreement(double resemblance, double rows) {
  if (resemblance <= 0) return 0;
  const double log_agreement = rows * std::log(resemblance);
  const double agreement = std::exp(log_agreement);
  return agreement < 0.5 ? std::log1p(-agreement) : std::log(-std::expm1(log_agreement));
}

// Performs one step of a multiplicative hash. The high half, where products mix best, is folded
// down.
uint64_t Mix(uint64_t state, uint64_t value) {
  const uint64_t product = (state ^ value) * 0x9FB21C651E98DF25;
  return product ^ (product >> 32);
}

}  // namespace

double MissProbability(const BandPlan& plan, double resemblance) {
  const double s = std::clamp(resemblance, 0.0, 1.0);
  return std::exp(plan.bands * LogDisagreement(s, plan.rows));
}

double CandidateProbability(const BandPlan& plan, double resemblance) {
  const double s = std::clamp(resemblance, 0.0, 1.0);
  return -std::expm1(plan.bands * LogDisagreement(s, plan.rows));
}

Result<BandPlan> PlanBands(double threshold, double recall, uint32_t limit) {
  if (!(threshold > 0 && threshold <= 1)) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("cannot plan bands: threshold {} is outside (0, 1]", threshold));
  }
  if (!(recall > 0 && recall < 1)) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("cannot plan bands: recall {} is outside (0, 1)", recall));
  }
  for (uint32_t rows = limit; rows >= 1; --rows) {
    const double needed = std::log1p(-recall) / LogDisagreement(threshold, rows);
    const uint32_t most = limit / rows;
    if (!(needed < most + 1.0)) continue;
    BandPlan plan{static_cast<uint32_t>(std::max(1.0, std::floor(needed))), rows};
    while (plan.bands <= most && CandidateProbability(plan, threshold) < recall) ++plan.bands;
    if (plan.bands <= most) return plan;
  }
  return Fail(ErrorCode::kInvalidArgument,
              fmt::format("cannot plan bands: no bands of a signature of {} values find a pair at "
                          "threshold {} with probability {}; use the exact join",
                          limit, threshold, recall));
}

void ComputeBandKeys(const BandPlan& plan, std::span<const uint32_t> signature,
                     std::span<uint64_t> out) {
  const uint32_t* row = signature.data();
  for (uint32_t band = 0; band < plan.bands; ++band) {
    uint64_t key = Mix(0x2545F4914F6CDD1D, band);
    uint32_t all = UINT32_MAX;
    for (uint32_t i = 0; i < plan.rows; ++i, ++row) {
      key = Mix(key, *row);
      all &= *row;
    }
    // A key of 0 is replaced by 1, because 0 means "no key".
    out[band] = all == kEmptyMinimum ? kNoBandKey : std::max<uint64_t>(key, 1);
  }
}

}  // namespace zhiwen
