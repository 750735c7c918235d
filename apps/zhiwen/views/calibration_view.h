#ifndef ZHIWEN_APPS_ZHIWEN_VIEWS_CALIBRATION_VIEW_H_
#define ZHIWEN_APPS_ZHIWEN_VIEWS_CALIBRATION_VIEW_H_

// Renders the output of `zhiwen calibrate`: tables by length and by radius, and the
// recommendation in words.

#include <string>

#include "zhiwen/calibration.h"

namespace zhiwen {

std::string RenderCalibration(const Calibration& calibration);

}  // namespace zhiwen

#endif  // ZHIWEN_APPS_ZHIWEN_VIEWS_CALIBRATION_VIEW_H_
