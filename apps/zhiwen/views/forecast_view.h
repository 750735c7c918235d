#ifndef ZHIWEN_APPS_ZHIWEN_VIEWS_FORECAST_VIEW_H_
#define ZHIWEN_APPS_ZHIWEN_VIEWS_FORECAST_VIEW_H_

#include <string>

#include "terminal/terminal.h"
#include "zhiwen/dedup_forecast.h"

namespace zhiwen {

// Renders a forecast as a table: counts with their ranges, the sample they come from, memory, disk
// and time, and last the errors that would stop the run.
std::string RenderDedupForecast(const DedupForecast& forecast, const DedupOptions& options,
                                const Palette& palette);

}  // namespace zhiwen

#endif  // ZHIWEN_APPS_ZHIWEN_VIEWS_FORECAST_VIEW_H_
