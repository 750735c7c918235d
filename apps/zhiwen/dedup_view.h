#ifndef ZHIWEN_APPS_ZHIWEN_DEDUP_VIEW_H_
#define ZHIWEN_APPS_ZHIWEN_DEDUP_VIEW_H_

#include <cstddef>
#include <string>

#include "terminal.h"
#include "zhiwen/dedup.h"

namespace zhiwen {

// The result of a run as a table for people: counts, what is claimed, speed, where the outputs are,
// some removals with the beginnings of both texts.
std::string RenderDedupReport(const DedupReport& report, const DedupOptions& options,
                              size_t columns, const Palette& palette);

}  // namespace zhiwen

#endif  // ZHIWEN_APPS_ZHIWEN_DEDUP_VIEW_H_
