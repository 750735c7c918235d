#ifndef ZHIWEN_PIPELINE_DEDUP_FORECAST_FORECAST_FIGURES_H_
#define ZHIWEN_PIPELINE_DEDUP_FORECAST_FORECAST_FIGURES_H_

// What the parts of a forecast say figures with.

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "zhiwen/dedup_forecast.h"

namespace zhiwen {

// How many standard deviations the ends of a range are away: 95 %.
inline constexpr double kForecastDeviations = 2;

// What is known.
inline ForecastRange Exactly(double value) { return {value, value, value}; }

// A count or bytes: below zero is zero.
inline uint64_t Rounded(double value) {
  return value <= 0 ? 0 : static_cast<uint64_t>(std::llround(std::min(value, 9e18)));
}

}  // namespace zhiwen

#endif  // ZHIWEN_PIPELINE_DEDUP_FORECAST_FORECAST_FIGURES_H_
