#ifndef ZHIWEN_APPS_ZHIWEN_FORECAST_VIEW_H_
#define ZHIWEN_APPS_ZHIWEN_FORECAST_VIEW_H_

#include <string>

#include "terminal.h"
#include "zhiwen/dedup_forecast.h"

namespace zhiwen {

// What a run will need as a table for people: counts with their ranges, the sample they are from,
// memory, scratch and time; last, with what the run would end before its time.
std::string RenderDedupForecast(const DedupForecast& forecast, const DedupOptions& options,
                                const Palette& palette);

}  // namespace zhiwen

#endif  // ZHIWEN_APPS_ZHIWEN_FORECAST_VIEW_H_
