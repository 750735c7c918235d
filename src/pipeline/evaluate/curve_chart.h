#ifndef ZHIWEN_PIPELINE_EVALUATE_CURVE_CHART_H_
#define ZHIWEN_PIPELINE_EVALUATE_CURVE_CHART_H_

// Precision over recall of a row as an SVG, in steps, as the area counts it; with the places of the
// two thresholds.

#include <string>
#include <string_view>

#include "zhiwen/evaluation.h"

namespace zhiwen {

// Returns the HTML of a <figure> with this id.
std::string RenderCurve(const EvaluationRow& row, std::string_view id);

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_EVALUATE_CURVE_CHART_H_
