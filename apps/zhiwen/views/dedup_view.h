#ifndef ZHIWEN_APPS_ZHIWEN_VIEWS_DEDUP_VIEW_H_
#define ZHIWEN_APPS_ZHIWEN_VIEWS_DEDUP_VIEW_H_

#include <cstddef>
#include <string>

#include "terminal/terminal.h"
#include "zhiwen/dedup.h"

namespace zhiwen {

// Renders the result of a run as tables: counts, guarantees, speed, the paths of the outputs, and
// some removals with the beginnings of both texts.
std::string RenderDedupReport(const DedupReport& report, const DedupOptions& options,
                              size_t columns, const Palette& palette);

}  // namespace zhiwen

#endif  // ZHIWEN_APPS_ZHIWEN_VIEWS_DEDUP_VIEW_H_
