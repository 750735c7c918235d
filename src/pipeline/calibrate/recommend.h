#ifndef ZHIWEN_PIPELINE_CALIBRATE_RECOMMEND_H_
#define ZHIWEN_PIPELINE_CALIBRATE_RECOMMEND_H_

// Decides from what was measured which radius and which threshold to take, and whether codes are
// fit for texts of a length.

#include <optional>
#include <span>

#include "zhiwen/calibration.h"

namespace zhiwen {

struct CalibrationTarget {
  double false_joins = 1e-6;  // of unrelated pairs, at most
  double found = 0.9;         // of the copies in changed[changed], at least
  size_t changed = 2;
};

// Sets radius, verdict and used_radius. `of_all`: the radius for all lengths together.
void RecommendRadius(const CalibrationTarget& target, std::optional<uint32_t> of_all,
                     LengthCalibration& measured);

// Sets threshold and found_at_threshold. `resemblances`: those of the copies of the target,
// ascending.
void RecommendThreshold(const CalibrationTarget& target, std::span<const double> resemblances,
                        LengthCalibration& measured);

// Returns Calibration::unfit_below. `lengths` ascend.
std::optional<uint64_t> FindUnfitBelow(std::span<const LengthCalibration> lengths);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_CALIBRATE_RECOMMEND_H_
