#ifndef ZHIWEN_PIPELINE_CALIBRATE_CALIBRATION_CHARTS_H_
#define ZHIWEN_PIPELINE_CALIBRATE_CALIBRATION_CHARTS_H_

// The charts of a calibration as SVG in a <figure>. The figures that they show are also in tables.

#include <cstddef>
#include <string>

#include "zhiwen/calibration.h"

namespace zhiwen {

// Distances of copies by the share that was changed, beside those of unrelated texts: boxes with
// percentiles. `number` makes its id unique.
std::string RenderDistanceBoxes(const Calibration& calibration, const LengthCalibration& measured,
                                size_t number);

// The share of the copies that each radius finds, a curve for each share that was changed.
std::string RenderFoundCurves(const Calibration& calibration);

// The share of unrelated pairs that each radius joins, with its interval, on a logarithmic scale.
std::string RenderFalseJoins(const Calibration& calibration);

// Pairs of the sample that are related, by distance and resemblance.
std::string RenderRelatedPairs(const Calibration& calibration);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_CALIBRATE_CALIBRATION_CHARTS_H_
