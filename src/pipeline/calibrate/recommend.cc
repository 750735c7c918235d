#include "pipeline/calibrate/recommend.h"

#include <algorithm>
#include <cmath>

#include "pipeline/calibrate/wilson_interval.h"

namespace zhiwen {
namespace {

constexpr double kLeastThreshold = 0.5;  // below it texts share less than half: no near-duplicates

// Returns the largest radius up to which this end of the interval of false joins is at most `most`.
std::optional<uint32_t> LargestRadius(const UnrelatedPairs& unrelated, double ShareInterval::*end,
                                      double most) {
  std::optional<uint32_t> largest;
  for (uint32_t radius = 0; radius + 1 < unrelated.by_distance.size(); ++radius) {
    if (unrelated.Joined(radius).*end > most) break;
    largest = radius;
  }
  return largest;
}

}  // namespace

void RecommendRadius(const CalibrationTarget& target, std::optional<uint32_t> of_all,
                     LengthCalibration& measured) {
  const auto largest = [&](double ShareInterval::*end) {
    return LargestRadius(measured.unrelated, end, target.false_joins);
  };
  measured.radius = largest(&ShareInterval::high);
  measured.used_radius = measured.radius ? measured.radius : of_all;
  const ChangedCopies& copies = measured.changed[target.changed];
  const std::optional<uint32_t> not_excluded = largest(&ShareInterval::low);
  if (!not_excluded || copies.Found(*not_excluded).high < target.found) {
    measured.verdict = RadiusVerdict::kUnfit;
  } else if (!measured.radius) {
    measured.verdict = RadiusVerdict::kTooFew;
  } else {
    const bool is_fit = copies.Found(*measured.radius).low >= target.found;
    measured.verdict = is_fit ? RadiusVerdict::kFit : RadiusVerdict::kNotSure;
  }
}

void RecommendThreshold(const CalibrationTarget& target, std::span<const double> resemblances,
                        LengthCalibration& measured) {
  if (resemblances.empty()) return;
  const auto copies = static_cast<double>(resemblances.size());
  const auto missed = static_cast<size_t>((1 - target.found) * copies + 1e-9);
  const double threshold = std::floor(100 * resemblances[missed] + 1e-9) / 100;
  if (threshold < kLeastThreshold) return;
  const auto found = resemblances.end() - std::ranges::lower_bound(resemblances, threshold);
  measured.threshold = threshold;
  measured.found_at_threshold = WilsonInterval(static_cast<double>(found), copies);
}

std::optional<uint64_t> FindUnfitBelow(std::span<const LengthCalibration> lengths) {
  std::optional<uint64_t> below;
  bool is_fit_seen = false;
  for (const LengthCalibration& length : lengths) {
    is_fit_seen |= length.verdict == RadiusVerdict::kFit;
    if (length.verdict != RadiusVerdict::kUnfit) continue;
    if (is_fit_seen || length.to == 0) return std::nullopt;
    below = length.to;
  }
  return below;
}

}  // namespace zhiwen
